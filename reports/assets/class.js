"use strict";
// Without this script everything can be read; with it, tables sort and the list of students can be narrowed down.
for (const table of document.querySelectorAll("table[data-sort]")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    if (!head.dataset.by) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    const arrow = document.createElement("span");
    arrow.setAttribute("aria-hidden", "true");
    button.append(arrow);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[at].dataset.order ?? row.cells[at].textContent.trim();
      const compare = head.dataset.by === "number"
        ? (one, other) => Number(key(one)) - Number(key(other))
        : (one, other) => key(one).localeCompare(key(other), document.documentElement.lang);
      const rows = [...body.rows].sort(compare);
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}
const filter = document.getElementById("filter");
if (filter) {
  const rows = [...document.getElementById("student-rows").rows];
  const told = document.getElementById("filter-count");
  filter.closest("[hidden]").hidden = false;
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLocaleLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    told.textContent = told.dataset.words.replace("%n", shown).replace("%all", rows.length);
  });
}
