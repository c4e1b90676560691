"use strict";
// Each heading of a table of class "sortable" becomes a button: up, down, then the order of the page again. In one of
// class "grouped" a body holds the rows of one entry. A cell sorts by its data-order, else by its text, numbers first.
for (const table of document.querySelectorAll("table.sortable")) {
  const grouped = table.classList.contains("grouped");
  const home = grouped ? table : table.tBodies[0];
  const items = [...(grouped ? table.tBodies : home.rows)];
  const heads = [...table.tHead.rows[0].cells];
  const value = (item, column) => {
    const cell = (grouped ? item.rows[0] : item).cells[column];
    return cell.dataset.order ?? cell.textContent.trim();
  };
  const number = (text) => (text ? Number(text.split(" ")[0].replaceAll(",", "")) : NaN);
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
    return x - y || a.localeCompare(b, document.documentElement.lang, { numeric: true });
  };
  heads.forEach((head, column) => {
    if (head.dataset.sort === "no") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    const arrow = document.createElement("span");
    arrow.setAttribute("aria-hidden", "true");
    button.append(arrow);
    head.append(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const next = was === "ascending" ? "descending" : was ? null : "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next) head.setAttribute("aria-sort", next);
      const sign = next === "descending" ? -1 : 1;
      home.append(...(next ? [...items].sort((a, b) => sign * compare(value(a, column), value(b, column))) : items));
    });
  });
}
