"""Shows records: pages and terminal output. Reads the record as plain JSON data and imports nothing of `grader`."""
