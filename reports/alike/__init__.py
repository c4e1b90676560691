"""Submissions of a class that are alike, side by side: a hint where to look, never a verdict."""
