"""Swaps its module for one whose attributes change between looks, and its forward too; right outcome: each look is judged alone."""
# points: some | verdict: failed/raised
import sys
import types

# honest solution

honest = ResidualAdd.forward


class Chameleon(types.ModuleType):
    looks = 0

    def __getattr__(self, name):
        Chameleon.looks += 1
        return ResidualAdd if Chameleon.looks % 2 else (lambda *args: None)


class Turning:
    turn = 0

    def __get__(self, instance, owner):
        Turning.turn += 1
        if instance is None or Turning.turn % 2:
            return honest.__get__(instance, owner)
        return lambda x, **kwargs: x * 2


ResidualAdd.forward = Turning()
sys.modules[__name__] = Chameleon(__name__)
