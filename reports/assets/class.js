// The list of students can be narrowed down.
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
