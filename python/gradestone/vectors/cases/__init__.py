"""The cases of the conformance vectors, one module a grader, as people state and review them.

Each module has ``CASES``, a tuple in the order of the ids. `generate.py` turns them into the JSON files.
"""
