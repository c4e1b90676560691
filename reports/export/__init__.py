"""Grades as files: for Canvas, Moodle and Gradescope, as tables, as lines of JSON, and pages to hand back.

Pure functions from plain rows (`rows`). No grade is dropped in silence: what is not in a file stands in its
`notes`.
"""
