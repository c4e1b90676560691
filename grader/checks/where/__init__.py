"""The line of a student's file that most likely holds a mistake: none rather than a wrong one.

A check says what is wrong, from what the code did. This package only looks for the place, in the syntax tree, and only
explains: names of torch are used freely here, and nothing of it may fail a check.

    syntax                             source → trees, in a process of its own
    code                               the class under check, and what stands beside it
    terms, expressions, calls, flow    the forward, run on terms in place of tensors
    branches, rules                    mistakes that show along its paths
    members, built, written            mistakes that show in how the class is written
    place                              tag → line
"""

from grader.checks.where.code import Code, Place
from grader.checks.where.place import place_of
from grader.checks.where.syntax import close, trees

__all__ = ["Code", "Place", "close", "place_of", "trees"]
