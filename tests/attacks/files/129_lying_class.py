"""Has a metaclass that lies about names, bases and instances, and makes another object each time; right outcome: judged by what it does."""
# points: some | verdict: any
from torch import nn


class Meta(type):
    __name__ = property(lambda cls: "<b>Right</b>")
    made = 0

    def __call__(cls, dim, sublayer, dropout=0.1):
        Meta.made += 1
        return sublayer if Meta.made % 2 else nn.Identity()

    def __instancecheck__(cls, instance):
        return True

    def __subclasscheck__(cls, other):
        return True

    def mro(cls):
        return [cls, nn.Module, object]

    def __getattribute__(cls, name):
        if name == "forward":
            return lambda self, x: x
        return type.__getattribute__(cls, name)


class ResidualAdd(nn.Module, metaclass=Meta):
    pass
