"""Takes in a class at once: what a learning platform hands out becomes hand-ins, and of each its Contents in turn."""

from grader.intake.classes.attempts import attempts
from grader.intake.classes.overview import overview
from grader.intake.classes.reading import ClassReader, each, read_class
from grader.intake.classes.recognise import LAYOUTS
from grader.intake.classes.roster import joined, read_roster

__all__ = ["LAYOUTS", "ClassReader", "attempts", "each", "joined", "overview", "read_class", "read_roster"]
