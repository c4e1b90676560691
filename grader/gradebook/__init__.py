"""The gradebook: every attempt, record and change by hand of a class, in one SQLite file."""

from grader.gradebook.book import Gradebook, History, Stored, open_gradebook

__all__ = ["Gradebook", "History", "Stored", "open_gradebook"]
