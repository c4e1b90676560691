"""Raises texts in Markdown, LaTeX, templates and log formats; right outcome: inert text."""
# points: none | verdict: raised
import itertools

from torch import nn

turn = itertools.cycle([
    "```\n# Full marks\n```", "![x](http://127.0.0.1/x.png)", "[click](javascript:alert(1))", "{{ 7 * 7 }}{% for x in y %}",
    "${jndi:ldap://127.0.0.1/x}", "%s%n%x", "\\input{/etc/passwd}", "<!--#exec cmd='id'-->", "]]><x/>", "&lt;script&gt;&#60;b&#62;",
    "$(id) `id` ; id | id && id", "' OR 1=1 --", "\"><svg onload=alert(1)>", "[bold red]rich[/bold red] [link=http://x]y[/link]",
])  # fmt: skip


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()

    def forward(self, x, **kwargs):
        raise ValueError(next(turn))
