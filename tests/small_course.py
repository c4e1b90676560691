"""A course that is graded in no time: one exercise with a part, another one, and a knowledge check."""

from grader.model.course import load_course

HEAD = "from torch import nn\n\n\n"
TIMES = "class {name}(nn.Module):\n    def forward(self, x):\n        return {by}\n"
STUB = "class {name}(nn.Module):\n    def forward(self, x):\n        raise NotImplementedError\n"
MARKED = (
    'class {name}(nn.Module):\n    """{by}."""\n\n    def forward(self, x):\n        # BEGIN SOLUTION\n'
    "        return {by}\n        # END SOLUTION\n"
)
CHECK = '''

@check(points={points}, concept="numbers"{more})
def check_{name}(student, draw):
    """{main} gives {by}."""
    x = draw.input(4)
    if not gap(student.{main}()(x), {by}) < 1e-9:
        fail("It is not.", expected="{by}", tag="wrong-scale")
'''
QUESTIONS = """\
title = "Questions"

[[questions]]
name = "formula"
kind = "formula"
title = "The formula"
concept = "the shortcut"
points = 1.0
ask = "Write the output y."
accepted = ["y = x + F(x)"]
expected = "The input and what the sublayer returns."
hint = "Which two parts are added?"

[[questions.mistakes]]
answer = "F(x)"
reason = "The input is not in your formula."
tag = "missing-skip"

[[questions]]
name = "same"
kind = "true_false"
title = "One idea"
concept = "the shortcut"
points = 2.0
ask = "Skip and residual are one idea."
accepted = ["true"]
expected = "Whether the names mean the same."
hint = "What is added in both?"

[[questions.mistakes]]
answer = "false"
reason = "Both names stand for the sum of input and result."
"""


def times(name, by):
    return HEAD + TIMES.format(name=name, by=by)


def stub(*names):
    return HEAD + "\n\n".join(STUB.format(name=name) for name in names)


def answers(formula="", same=""):
    return f'[formula]\nanswer = "{formula}"\n\n[same]\nanswer = "{same}"\n'


def check(name, points, main, by, more=""):
    return CHECK.format(name=name, points=points, main=main, by=by, more=more)


BY = {"Doubled": "2 * x", "Tripled": "3 * x", "Halved": "x / 2"}
IMPORTS = "from grader.checks import check, fail, gap\n"
FILES = {
    "doubled/exercise.toml": 'title = "Twice"\ndefines = ["Doubled"]\nformula = "2·x"\nparts = ["Tripled"]\n',
    "doubled/solution.py": HEAD
    + MARKED.format(name="Doubled", by="2 * x")
    + "\n\n"
    + MARKED.format(name="Tripled", by="3 * x"),
    "doubled/checks.py": IMPORTS
    + check("doubles", 4, "Doubled", "2 * x")
    + check("triples", 2, "Tripled", "3 * x", ', part="Tripled"'),
    "halved/exercise.toml": 'title = "Half"\ndefines = ["Halved"]\nformula = "x / 2"\n',
    "halved/solution.py": HEAD + MARKED.format(name="Halved", by="x / 2"),
    "halved/checks.py": IMPORTS + check("halves", 3, "Halved", "x / 2"),
    "knowledge_check/questions.toml": QUESTIONS,
}
OPTIONAL = ("doubled.Tripled", "halved", "knowledge_check")


def small_course(root, exercises=("doubled",), optional=OPTIONAL, **files):
    """The course in `root`; `files` replace what stands in FILES."""
    lists = f"exercises = {list(exercises)}\noptional = {list(optional)}\n".replace("'", '"')
    for name, text in {**FILES, "course.toml": f'name = "Small"\n{lists}seed = "a seed of its own"\n', **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load_course(root)
