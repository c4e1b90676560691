"""Which submissions of a class are alike: a hint where to look, never a verdict.

Submissions are compared by the fingerprints that they share (`fingerprints`) after what all were given is taken away.
A fingerprint that many have is how one writes such a thing, and says little; few share what was copied. An index from
fingerprints to students finds the pairs, so that the work grows with what is shared and not with the number of pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from itertools import combinations

from grader.alike.found import Alike, Pair
from grader.alike.parts import parts
from grader.alike.text import Text, starter_runs, text_of
from grader.model.submission import Submission

LEAST_SCORE = 0.4
MOST_PAIRS = 100
MOST_PARTS = 12
MOST_CUT = 50

_SHARE = 0.02  # of the class, and at least two: what no more of it have in common counts in full
_COMMON = 4  # times as many: it counts nothing
_FEWEST = 30  # fingerprints of a file: a shorter one is measured as if it had so many

_Weights = Mapping[str, float]


def alike(
    handed_in: Iterable[tuple[str, Submission]],
    starter: Iterable[str],
    *,
    least: float = LEAST_SCORE,
    most_pairs: int = MOST_PAIRS,
) -> Alike:
    """The pairs of (student, submission) that are most alike; of one student the last submission counts.

    `starter` are the sources that all students were given. The order of what is given does not matter.
    """
    given = starter_runs(starter)
    texts = {student: text_of(submission, given) for student, submission in handed_in}
    texts = dict(sorted(texts.items()))
    owners = _owners(texts)
    weights = _weights(owners, len(texts))
    candidates = _candidates(owners, weights, least)
    scores = {(one, other): _score(texts[one], texts[other], weights) for one, other in candidates}
    found = sorted(pair for pair, score in scores.items() if score >= least)
    found.sort(key=lambda pair: -scores[pair])
    cut = [student for student, text in texts.items() if text.is_cut]
    return Alike(
        students=len(texts),
        least=least,
        pairs=tuple(_pair(pair, texts, scores[pair], weights) for pair in found[:most_pairs]),
        pairs_left_out=max(0, len(found) - most_pairs),
        nothing_own=sum(not text.places for text in texts.values()),
        cut=tuple(cut[:MOST_CUT]),
    )


def _owners(texts: Mapping[str, Text]) -> dict[str, list[str]]:
    """The students that have each fingerprint."""
    owners: dict[str, list[str]] = defaultdict(list)
    for student, text in texts.items():
        for run in text.places:
            owners[run].append(student)
    return owners


def _weights(owners: Mapping[str, list[str]], students: int) -> _Weights:
    """What each fingerprint counts that two or more have, 0 to 1; those that count nothing are left out."""
    few = max(2.0, _SHARE * students)
    return {
        run: min(1.0, (few / len(having)) ** 2) for run, having in owners.items() if 2 <= len(having) <= _COMMON * few
    }


def _candidates(owners: Mapping[str, list[str]], weights: _Weights, least: float) -> list[tuple[str, str]]:
    """The pairs that share so much that their score may reach `least`."""
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for run, weight in weights.items():
        for pair in combinations(owners[run], 2):
            shared[pair] += weight
    return [pair for pair, amount in shared.items() if amount >= least * _FEWEST]


def _score(one: Text, other: Text, weights: _Weights) -> float:
    """Of a file of one, the greatest part that stands in the other; two decimals."""
    found = [_contained(file, other, weights) for file in one.files.values()]
    found += [_contained(file, one, weights) for file in other.files.values()]
    return round(max(found), 2)


def _contained(file: Set[str], other: Text, weights: _Weights) -> float:
    counted = sorted(weights.get(run, 0.0) for run in file if run in other.places)  # a sum depends on its order
    return sum(counted) / max(len(file), _FEWEST)


def _pair(names: tuple[str, str], texts: Mapping[str, Text], score: float, weights: _Weights) -> Pair:
    one, other = (texts[name] for name in names)
    found = parts(one, other, [run for run in one.places if run in other.places and run in weights])
    return Pair(
        one=names[0],
        other=names[1],
        score=score,
        tokens=sum(part.tokens for part in found),
        parts=tuple(found[:MOST_PARTS]),
        parts_left_out=max(0, len(found) - MOST_PARTS),
    )
