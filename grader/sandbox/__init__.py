"""The boundary: clean ancestor, judges, workers, and the frames between them. Knows no course and no check."""
