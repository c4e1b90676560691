"""A page keeps to itself: no network, nothing in the console, nothing that its own policy forbids."""

from dataclasses import dataclass, field

import pytest

HEAR = """
window.refused = [];
document.addEventListener("securitypolicyviolation", one => window.refused.push(one.effectiveDirective));
"""
PUT = "<p style='color: red'>a</p><style>p { color: red }</style><script>window.ran = true</script><img src=x.png>"


@dataclass
class Heard:
    """What a browser says while a page is opened and every control of it is used."""

    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    strange: bool = False  # the script of PUT ran


@pytest.fixture(scope="module")
def listen(blank):
    """Opens a file and uses it; what was heard."""

    def listen(file):
        heard = Heard()
        with blank() as page:
            page.on("request", lambda request: heard.requests.append(request.url))
            page.on("console", lambda message: heard.console.append(message.text))
            page.on("pageerror", lambda error: heard.console.append(str(error)))
            page.add_init_script(HEAR)
            page.goto(file.as_uri())
            use(page)
            heard.refused = page.evaluate("window.refused")
            heard.strange = page.evaluate("window.ran ?? false")
        return heard

    return listen


def use(page):
    for fold in page.locator("summary:visible").all():
        fold.press("Enter")
    for button in page.locator("button:visible").all():
        button.press("Enter")
    for choice in page.locator("input[type=radio]:visible").all():
        choice.press("Space")
    for box in page.locator("input[type=search]:visible, input[type=text]:visible").all():
        box.fill("a")


@pytest.fixture(scope="module")
def heard(listen, files, name):
    return listen(files[name])


def test_nothing_but_the_file_is_asked_for(heard, files, name):
    assert heard.requests == [files[name].as_uri()]


def test_the_console_stays_empty(heard):
    assert heard.console == []


def test_the_policy_allows_what_the_page_needs(heard):
    assert heard.refused == []


@pytest.fixture(scope="module")
def tampered(listen, files, tmp_path_factory):
    """A page into which somebody got markup of their own."""
    file = tmp_path_factory.mktemp("tampered") / "page.html"
    file.write_text(files["missing_skip"].read_text(encoding="utf-8").replace("</main>", f"{PUT}</main>"))
    return listen(file)


def test_the_policy_refuses_everything_else(tampered):
    assert {"style-src-attr", "style-src-elem", "script-src-elem", "img-src"} <= set(tampered.refused)


def test_a_script_of_somebody_else_does_not_run(tampered):
    assert not tampered.strange


def test_what_is_refused_is_told_in_the_console(tampered):
    assert len(tampered.console) >= 4
