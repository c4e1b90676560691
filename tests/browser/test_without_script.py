"""A page says everything also where scripts do not run, and shows no control that would do nothing."""

UNSEEN = """
() => {
    const words = [], quiet = "script, style, title, desc, template, button, label, select, textarea"
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const holder = texts.currentNode.parentElement, text = texts.currentNode.data.trim()
        if (text && !holder.closest(quiet) && !holder.checkVisibility({visibilityProperty: true})) words.push(text)
    }
    return words
}
"""
DEAD = """
() => [...document.querySelectorAll("button, select, textarea, input:not([type=radio], [type=checkbox])")]
    .filter(one => one.checkVisibility({visibilityProperty: true}))
    .map(one => `${one.tagName} ${one.type} ${one.textContent.trim()}`)
"""


def test_all_words_can_be_read(visit, name):
    with visit(name, java_script_enabled=False) as page:
        assert page.evaluate(UNSEEN) == []


def test_no_control_is_dead(visit, name):
    with visit(name, java_script_enabled=False) as page:
        assert page.evaluate(DEAD) == []


def test_no_script_runs(blank, tmp_path):
    """What the two tests above rest on."""
    file = tmp_path / "page.html"
    file.write_text("<title>still</title><script>document.title = 'ran'</script>", encoding="utf-8")
    with blank(java_script_enabled=False) as page:
        page.goto(file.as_uri())
        assert page.title() == "still"
