"""What is told about a run: its figures, and how they are shown."""
