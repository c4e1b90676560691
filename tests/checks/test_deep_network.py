"""What the checks of the deep network stand on: places of weights, names of paths, and reports that are read."""

import itertools
import math

import pytest
import torch
from torch.nn import functional

from grader.checks.chain.activations import ACTIVATION, LESSON
from grader.checks.chain.dropout import dropped
from grader.checks.chain.entries import found_entries
from grader.checks.chain.gradient_report import Learned, are_in, are_in_another_order, numbers, printed_instead
from grader.checks.chain.gradients import cut_rules, without_shortcut
from grader.checks.chain.join_rules import joined_rules
from grader.checks.chain.layers import (
    FORMULA,
    ONE,
    Made,
    Rule,
    Seen,
    apart,
    find_all,
    layer,
    residual,
    run,
    spelled,
    unchanged,
)
from grader.checks.chain.layout import are_plain, layout_of
from grader.checks.chain.network import UNKNOWN, found_network, layers_like
from grader.checks.chain.onlooker import Onlooker
from grader.checks.chain.rules import layer_rules
from grader.checks.draw import Draw
from grader.checks.student import Gradient, Reply, Student
from grader.model.limits import Limits
from grader.sandbox.session import Session, Source
from grader.sandbox.spawned import SpawnedWorkers
from grader.sandbox.worker import messages as m

SIZES = (5, 2, 6, 3, 7, 4)
PAIRS = list(itertools.pairwise(SIZES))


@pytest.fixture(autouse=True)
def double():
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(default)


class Here:
    """A module of this process, asked like one in a worker."""

    def __init__(self, module):
        self.module = module

    def eval(self):
        self.module.eval()
        return self

    def __call__(self, x):
        return self.module(x).detach()

    def parameters(self):
        return {name: value.detach().clone() for name, value in self.module.named_parameters()}

    def assign(self, values):
        with torch.no_grad():
            for name, value in self.module.named_parameters():
                value.copy_(values[name])

    def call(self, x):
        value = self.module(x)
        return Reply(value.detach(), [x], 0, value.requires_grad)

    def gradient(self, x, cotangent):
        leaf = x.clone().requires_grad_()
        self.module.zero_grad()
        output = self.module(leaf)
        (output * cotangent).sum().backward()
        return Gradient(output.detach(), leaf.grad, {n: p.grad for n, p in self.module.named_parameters()})


class Packed(torch.nn.Module):
    """Layers whose numbers are the rows of one tensor: input by input, the bias last, and a row that nobody uses."""

    def __init__(self, function, last_bias=True):
        super().__init__()
        self.function, self.last_bias = function, last_bias
        self.numbers = torch.nn.Parameter(torch.zeros(40, max(SIZES)))

    def forward(self, x):
        at = 0
        for n_in, n_out in PAIRS:
            rows = self.numbers[at : at + n_in + 1, :n_out]
            x = self.function(x @ rows[:-1] + rows[-1] * (self.last_bias or n_out != SIZES[-1]))
            at += n_in + 1
        return x


@pytest.mark.parametrize("name", [LESSON, "relu", "tanh"])
def test_weights_are_found_wherever_they_lie(name):
    net = Here(Packed(ACTIVATION[name]))
    entries = found_entries(net, SIZES, Draw(1))
    value = Draw(2).normal(40, max(SIZES))
    net.assign({"numbers": value})
    x = Draw(3).input(6, SIZES[0])

    layers = entries.layers([value], SIZES)

    assert [tuple(weight.shape) for weight, _ in layers] == [(n_out, n_in) for n_in, n_out in PAIRS]
    seen = Seen(SIZES, False, x, None, layers)
    assert torch.allclose(run(Rule("", layer(ACTIVATION[name])), seen), net.module(x))


def test_numbers_of_one_layer_can_be_replaced():
    net = Here(Packed(ACTIVATION[LESSON]))
    entries = found_entries(net, SIZES, Draw(1))
    weight, bias = Draw(4).normal(7, 3), Draw(5).normal(7)

    (changed,) = entries.with_layer([torch.zeros(40, max(SIZES))], 3, weight, bias)

    assert torch.equal(entries.layers([changed], SIZES)[3][0], weight)
    assert torch.equal(entries.layers([changed], SIZES)[3][1], bias)
    assert int(changed.ne(0).sum()) == weight.numel() + bias.numel()


def test_nothing_is_believed_that_does_not_give_the_output():
    assert found_entries(Here(Packed(lambda t: t * torch.sigmoid(3 * t))), SIZES, Draw(1)) is None
    assert found_entries(Here(Packed(ACTIVATION[LESSON], last_bias=False)), SIZES, Draw(1)) is None


def test_weights_kept_as_length_and_direction_are_put_together():
    shapes = [shape for n_in, n_out in PAIRS for shape in ((n_out,), (n_out, 1), (n_out, n_in))]
    values = [Draw(number).normal(*shape) for number, shape in enumerate(shapes)]

    layout = layout_of(shapes, SIZES)
    weight, bias = layout.layers(values, SIZES)[0]

    assert torch.allclose(weight.norm(dim=1), values[1][:, 0].abs())
    assert torch.equal(bias, values[0])
    assert torch.equal(layout.pieces(values, SIZES)[0][0], values[2])


def test_a_column_beside_something_else_is_no_length():
    shapes = [shape for n_in, n_out in PAIRS for shape in ((n_out,), (n_out, 1), (n_out, n_in))]

    assert layout_of([*shapes, (1,)], SIZES).lengths == {}


@pytest.mark.parametrize(
    ("shapes", "plain"),
    [
        ([(2, 5), (2,), (6, 2), (6,)], True),
        ([(2, 5), (6, 2), (6,)], True),
        ([(2, 5), (6, 2)], True),
        ([(111,)], False),
        ([(2, 6)] * 5 + [(3,)], False),
        ([(5, 4, 4), (5, 4)], False),
        ([], False),
    ],
)
def test_ordinary_layers_are_known_by_their_shapes(shapes, plain):
    assert are_plain(shapes) is plain


def test_only_layers_that_change_their_order_with_their_sizes_are_tried_in_others():
    natural = layout_of([shape for a, b in PAIRS for shape in ((b, a), (b,))], SIZES)
    turned = layout_of([shape for a, b in reversed(PAIRS) for shape in ((b, a), (b,))], SIZES)
    values = [Draw(1).normal(*shape) for _ in range(5) for shape in ((4, 4), (4,))]

    assert len(list(natural.variants(values, (4,) * 6))) == 1
    assert len(list(turned.variants(values, (4,) * 6))) == 1 + math.factorial(5)


# Names ----------------------------------------------------------------------------------------------------------------


def looked_at(rule, shortcut=False, sizes=SIZES):
    draw = Draw(7)
    layers = [(draw.normal(b, a), draw.normal(b)) for a, b in itertools.pairwise(sizes)]
    seen = Seen(sizes, shortcut, draw.input(30, sizes[0]), None, layers)
    return Seen(sizes, shortcut, seen.x, run(rule, seen), layers)


def test_an_operation_between_two_layers_may_belong_to_either():
    between = next(rule for rule in layer_rules() if rule.text.startswith("Linear(x) in layer 1, Linear(GELU(x))"))

    texts = [found.rule.text for found in find_all(layer_rules(), [looked_at(between)])]

    assert between.text in texts
    assert "Linear(x) in the last layer, GELU(Linear(x)) in layers 1, 2, 3 and 4" in texts


def test_rules_that_share_what_they_made_make_the_same_as_each_alone():
    seen, made = looked_at(Rule("", layer(ACTIVATION[LESSON])), shortcut=True, sizes=(4,) * 6), Made()
    rules = [*layer_rules(), *joined_rules(Rule(ONE, layer(ACTIVATION[LESSON])))]

    assert [residual(rule, [seen], made) for rule in rules] == [residual(rule, [seen]) for rule in rules]
    for rule in rules:
        together, alone = run(rule, seen, made), run(rule, seen)
        assert (together is None and alone is None) or torch.equal(together, alone)


def test_what_was_made_of_a_tensor_that_is_gone_is_not_taken_for_another():
    made = Made()

    assert [made(torch.sum, torch.full((3,), float(n))).item() for n in range(1, 9)] == [3 * n for n in range(1, 9)]


def test_what_all_layers_compute_alike_has_one_name():
    relu = Rule("", layer(torch.relu))

    assert [found.rule.text for found in find_all(layer_rules(), [looked_at(relu)])] == ["relu(Linear(x))"]


@pytest.mark.parametrize(
    ("text", "like", "wanted"),
    [
        (FORMULA, {"text": "relu(Linear(x))"}, "x + relu(Linear(x))"),
        (f"x0 + {ONE} where it fits", {"text": "Linear(GELU(x))"}, "x0 + Linear(GELU(x)) where it fits"),
        (FORMULA, apart(("A(x)", "in layer 1"), ("B(x)", "later")), "x + A(x) in layer 1, x + B(x) later"),
        (f"x0 + {ONE}", apart(("A(x)", "here"), ("B(x)", "there")), "x0 + F(x); F(x) is A(x) here, B(x) there"),
    ],
)
def test_a_join_is_named_with_what_its_layers_compute(text, like, wanted):
    assert spelled(text, Rule(branch=layer(torch.relu), **like)) == wanted


@pytest.mark.parametrize("rule", list(cut_rules(Rule(FORMULA, layer(ACTIVATION[LESSON])))), ids=lambda rule: rule.text)
def test_a_cut_path_changes_gradients_and_no_output(rule):
    right = Rule(FORMULA, layer(ACTIVATION[LESSON]))
    draw = Draw(3)
    layers = [(draw.normal(4, 4).requires_grad_(), draw.normal(4).requires_grad_()) for _ in range(5)]
    leaves = [draw.input(3, 4).requires_grad_(), *(tensor for pair in layers for tensor in pair)]
    found = []
    for one in (right, rule):
        output = run(one, Seen((4,) * 6, True, leaves[0], None, layers))
        for leaf in leaves:
            leaf.grad = None
        if output.requires_grad:
            (output * torch.linspace(1, 2, 12).reshape(3, 4)).sum().backward()
        found.append((output, [torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves]))

    assert torch.allclose(found[0][0], found[1][0])
    assert not all(torch.allclose(a, b) for a, b in zip(found[0][1], found[1][1], strict=True))


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        (f"x + detach({ONE})", f"detach({ONE})"),
        (f"detach(x + {ONE})", f"detach({ONE})"),
        (f"detach(x) + {ONE}", ONE),
        ("x + GELU(Linear(detach(x))) in layer 2", "GELU(Linear(detach(x))) in layer 2"),
    ],
)
def test_a_cut_path_is_named_without_shortcuts_too(text, alone):
    assert without_shortcut(text) == alone


def test_dropout_shows_as_zeros_among_equal_factors():
    whole = torch.linspace(1, 2, 6)
    mask = torch.tensor([0.0, 1.0, 1.0, 0.0, 1.0, 1.0])

    assert dropped(whole * mask / 0.7, whole) == pytest.approx(1 / 0.7)
    assert dropped(whole, whole) is None
    assert dropped(whole * mask * torch.linspace(1, 2, 6), whole) is None


# Looking --------------------------------------------------------------------------------------------------------------


class Plain(torch.nn.Module):
    """The network asked for, with another activation perhaps."""

    def __init__(self, sizes, shortcut, function):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in itertools.pairwise(sizes))
        self.shortcut, self.function = shortcut, function

    def forward(self, x):
        for one in self.layers:
            y = self.function(one(x))
            x = x + y if self.shortcut and x.shape == y.shape else y
        return x


def onlookers(function):
    """Makes an onlooker for each check of one submission; the list is of the networks that were built."""
    built, kept = [], {}

    def build(sizes, shortcut):
        built.append(Here(Plain(sizes, shortcut, function)))
        return built[-1]

    return built, lambda: Onlooker(Student(None, Desk(), kept=kept), build, Draw(1))


def test_what_one_check_has_seen_is_kept_for_the_next():
    built, onlooker = onlookers(ACTIVATION[LESSON])
    seen, found = onlooker().look(SIZES, False), found_network(onlooker())
    count = len(built)

    assert onlooker().look(SIZES, False) is seen
    assert found_network(onlooker()) is found
    assert len(built) == count
    assert onlooker().look(SIZES, True) is not seen
    assert onlooker().keeping_others().look(SIZES, False) is not seen


def test_of_an_unknown_activation_only_its_name_is_kept():
    _, onlooker = onlookers(lambda t: t * torch.sigmoid(3 * t))
    (alone,), whole = layers_like(onlooker()), found_network(onlooker())

    assert (alone.rule.text, whole.rule.text) == (UNKNOWN, f"x + {UNKNOWN}")
    assert alone.rule.branch == whole.rule.branch == layer(unchanged)


# Reports --------------------------------------------------------------------------------------------------------------


def learned():
    draw = Draw(11)
    weights = [draw.normal(3, 3) for _ in range(5)]
    x = draw.input(1, 3)
    tracked = [(w.clone().requires_grad_(), draw.normal(3).requires_grad_()) for w in weights]
    for w, b in tracked:
        x = x + functional.gelu(functional.linear(x, w, b), approximate="tanh")
    output = x.sum()
    output.square().backward()
    pairs = [(w.grad, b.grad) for w, b in tracked]
    values = [v for pair in tracked for v in (pair[0].detach(), pair[1].detach())]
    return Learned(values, [g for pair in pairs for g in pair], pairs, output.item())


def lines(values, form="{:.6f}"):
    return "\n".join(f"layers.{n}.0.weight: {form.format(value)}" for n, value in enumerate(values))


@pytest.mark.parametrize("form", ["{}", "{:.4f}", "{:.3e}", "tensor({:.4f})", "| {:12.5f} |"])
def test_values_are_found_in_any_layout(form):
    wanted = learned().wanted

    assert are_in(wanted, numbers(lines(wanted, form)))


def test_values_between_others_are_found_and_a_missing_one_is_missed():
    wanted = learned().wanted
    mixed = [number for value in wanted for number in (value, -7.25)]

    assert are_in(wanted, numbers(lines(mixed)))
    assert not are_in(wanted, numbers(lines(wanted[:-1])))
    assert not are_in([], numbers(lines(wanted)))


def test_order_is_told_apart_from_absence():
    wanted = learned().wanted

    assert not are_in(wanted, numbers(lines(wanted[::-1])))
    assert are_in_another_order(wanted, numbers(lines(wanted[::-1])))
    assert not are_in_another_order(wanted, numbers(lines(wanted[1:])))


def test_a_value_is_compared_as_far_as_it_was_printed():
    (two_digits, counter) = numbers("0.13 1")

    assert two_digits.is_about(0.1349)
    assert not two_digits.is_about(0.1351)
    assert not counter.is_about(1.4)


@pytest.mark.parametrize("name", ["layers.0.0.weight", "0.weight", "layer1.0.weight", "w1.", "net.3"])
def test_numbers_in_names_are_no_values(name):
    assert [one.value for one in numbers(f"{name}: 0.25") if one.half] == [0.25]


@pytest.mark.parametrize("text", ["weight0.25", "=0.25.", "[.25]", "tensor(0.25)", "2.5e-01", "1: 0.25,"])
def test_values_are_read_whatever_stands_beside_them(text):
    assert [one.value for one in numbers(text) if one.half] == [0.25]


@pytest.mark.parametrize("text", ["", "9" * 400, "1e999 nan inf", "....---...", "\x00" * 9, "1" + "." * 9000])
def test_odd_text_holds_no_values(text):
    assert not are_in(learned().wanted, numbers(text))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (lambda n: [g.mean().item() for g in n.gradients], "without taking absolute values"),
        (lambda n: [g.abs().sum().item() for g in n.gradients], "the sum of the absolute gradients"),
        (lambda n: [g.abs().max().item() for g in n.gradients], "the largest absolute gradient"),
        (lambda n: [g.norm().item() for g in n.gradients], "the norm of the gradients"),
        (lambda n: [w.abs().mean().item() for w in n.weights], "the mean of the absolute weights"),
        (lambda n: [g.abs().mean().item() for g in n.biases], "gradients of the biases"),
        (lambda n: [number for g in n.gradients for number in g.flatten().tolist()], "the gradients themselves"),
        (lambda n: [value / abs(2 * n.output) for value in n.wanted], "gradients of the output itself"),
        (lambda n: [2 * value for value in n.wanted], "twice the gradients"),
        (lambda n: [1.7 * value for value in n.wanted], "another loss"),
        (lambda n: n.wanted[:2], "only 2 of the 5 values"),
        (lambda n: [sum(n.wanted)], "a single number"),
    ],
)
def test_what_is_printed_instead_is_named(values, words):
    one = learned()

    assert words in printed_instead(numbers(lines(values(one))), one)


def test_numbers_that_mean_nothing_to_us_are_not_named():
    assert printed_instead(numbers("123.456 0.5772 31.25 2.71828 99.5"), learned()) is None


# The worker -----------------------------------------------------------------------------------------------------------

SOURCE = """
number = 3

def speak(text):
    print(text)
"""


@pytest.fixture(scope="module")
def session():
    unit = m.Unit("deep_network", "deep_network.py", False, [(None, SOURCE)])
    opened = Session(SpawnedWorkers(), Source([unit], ["speak"]), Limits(output_characters=20))
    opened.load()
    yield opened
    opened.close()


class Desk:
    recording = False
    serve = None


@pytest.fixture
def asking(session):
    session.begin(1)
    session.take_output()
    return Student(session, Desk())


@pytest.mark.parametrize(
    ("name", "there"), [("speak", True), ("number", False), ("print_gradients", False), ("len", False)]
)
def test_a_name_is_there_if_it_can_be_called(asking, name, there):
    assert asking.defines(name) is there


def test_what_was_printed_is_told_and_still_kept_for_the_record(asking, session):
    asking.build("speak", "one")

    assert asking.printed() == "one\n"
    asking.build("speak", "two")
    assert asking.printed() == "two\n"
    assert asking.printed() == ""
    assert session.take_output().head == "one\ntwo\n"
    assert session.take_output().characters == 0


def test_what_is_kept_for_the_record_stays_bounded(asking, session):
    for _ in range(5):
        asking.build("speak", "0123456789" * 3)
        asking.printed()

    words = session.take_output()

    assert (len(words.head), len(words.tail), words.characters) == (20, 20, 155)
