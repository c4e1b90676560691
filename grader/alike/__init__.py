"""Submissions of a class that are alike, as a hint where to look: starter code, names and layout do not count.

`copydetect` does much the same and was not taken: it needs numpy and matplotlib, reads files from disk by its own
rules, knows no notebooks, and compares every file with every other.
"""

from grader.alike.search import alike
from grader.alike.starter import starter_code

__all__ = ["alike", "starter_code"]
