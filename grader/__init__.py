"""Grades PyTorch exercises: decides. (`reports` shows what was decided.)"""

__version__ = "0.1.0"
