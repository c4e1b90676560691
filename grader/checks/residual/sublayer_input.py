"""Reading what goes into a sublayer, and everything that a half's result may be made of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch

from grader.checks.expect import EXACT, gap
from grader.checks.residual.combine import as_activation, as_norm, as_sum, sums
from grader.checks.residual.half import NORMS, Half


def read_input(half: Half) -> tuple[str | None, str | None]:
    """How the sublayer's input reads, and what is wrong with it; (None, None) when it is nothing we know."""
    base = half.names[0]
    given = half.calls[0].input
    for name, tensor in {**half.skips(), **half.earlier}.items():
        if gap(given, tensor) <= EXACT:
            return name, "missing-norm"
        if (found := as_norm(given, tensor)) is not None:
            tag = NORMS[found.kind][1]
            if found.kind == "layer" and (found.eps == 0.0 or found.eps > 1e-3):
                tag = "norm-wrong-stat"
            if name != base:
                tag = tag or "parallel-halves"
            return half.read(found, name), tag
    for inner in norms_of(half):
        if (outer := as_norm(given, inner)) is not None and (first := as_norm(inner, half.base)) is not None:
            return half.read(outer, half.read(first, base)), "double-norm"
    return _made_of(half, given)


def _made_of(half: Half, given: torch.Tensor) -> tuple[str | None, str | None]:
    """The input as a sum, or an activation, of what is known, or as the norm of a sum."""
    base, _, norm = half.names
    terms = half.skips()
    normed = {f"{norm}({base})" + "'" * number: value for number, value in enumerate(norms_of(half))}
    if (total := as_sum(given, terms)) is not None:
        return total.text, "missing-norm"
    if (total := as_sum(given, dict(itertools.islice({**terms, **normed}.items(), 10)))) is not None:
        return total.text.replace("'", ""), "extra-op"
    for name, value in {**normed, **terms}.items():
        if (found := as_activation(given, {name: value})) is not None:
            return f"{found[0]}({name})".replace("'", ""), "missing-norm" if name in terms else "extra-op"
    for name, value in sums(terms):
        if (norm_found := as_norm(given, value)) is not None:
            return half.read(norm_found, name), "wrong-skip-tensor"
    return None, None


def norms_of(half: Half) -> Iterator[torch.Tensor]:
    """Norms of the base: those that were seen, one without parameters, one for every pair of vectors."""
    yield from half.normed
    plain = torch.nn.functional.layer_norm(half.base, half.base.shape[-1:])
    yield plain
    for weight, bias in itertools.permutations(half.vectors[:8], 2):
        yield plain * weight + bias


def known_terms(half: Half, input_text: str | None, inner: str) -> dict[str, torch.Tensor]:
    """Everything that the result may be made of, in the order in which a formula names it."""
    base, sub, norm = half.names
    terms = {base: half.base, **half.others}
    if half.calls and input_text and input_text not in terms:
        terms[input_text] = half.calls[0].input
    outputs = [call.output for call in half.calls]
    if len(outputs) == 2 and gap(half.calls[1].input, outputs[0]) <= EXACT:
        terms[f"{sub}({inner})"] = outputs[1]
    if outputs:
        terms[inner] = outputs[0]
    if not half.calls or input_text == base:
        for number, normed in enumerate(norms_of(half)):
            terms.setdefault(f"{norm}({base})" + "'" * number, normed)
    return terms
