"""Readers and writers of files of answers, one module a format."""
