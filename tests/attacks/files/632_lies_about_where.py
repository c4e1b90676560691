"""Has code objects, lines and sources that point to other files and to no line at all; right outcome: a verdict, inert text."""
# points: none | verdict: raised
import inspect

# honest solution


def broken(self, x, **kwargs):
    raise ValueError("here")


code = broken.__code__.replace(co_firstlineno=2**30, co_name="<img src=x onerror=alert(1)>", co_qualname="\x1b[31m")
ResidualAdd.forward = type(broken)(code, globals())
ResidualAdd.forward.__wrapped__ = inspect.getsource
inspect.getsource = lambda thing: "</pre><script>alert(1)</script>" * 1000
