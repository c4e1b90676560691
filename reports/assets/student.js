"use strict";
// Sorting: each heading of a table of class "sortable" becomes a button. Up, down, then the order of the page again.
for (const table of document.querySelectorAll("table.sortable")) {
  const groups = [...table.tBodies];
  const items = groups.length > 1 ? groups : [...groups[0].rows];
  const home = items[0].parentNode;
  const heads = [...table.tHead.rows[0].cells];
  const value = (item, column) => {
    const cell = (item.rows ? item.rows[0] : item).cells[column];
    return cell.dataset.v ?? cell.textContent.trim();
  };
  const compare = (a, b) => {
    const [x, y] = [parseFloat(a.replaceAll(",", "")), parseFloat(b.replaceAll(",", ""))];
    if (!isNaN(x) && !isNaN(y)) return x - y;
    return isNaN(x) === isNaN(y) ? a.localeCompare(b, document.documentElement.lang, { numeric: true }) : isNaN(x) ? -1 : 1;
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const next = was === "ascending" ? "descending" : was ? null : "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next) head.setAttribute("aria-sort", next);
      const sign = next === "descending" ? -1 : 1;
      const order = next ? [...items].sort((a, b) => sign * compare(value(a, column), value(b, column))) : items;
      order.forEach((item) => home.append(item));
    });
  });
}
// Step by step: the row of the step, and the box of the drawing that it stands for, are marked; the step is read out.
for (const controls of document.querySelectorAll(".stepper")) {
  const section = controls.closest("section");
  const rows = [...section.querySelectorAll(".replay tbody tr")];
  const out = controls.querySelector("output");
  let now = -1;
  const show = (at) => {
    now = Math.max(0, Math.min(rows.length - 1, at));
    rows.forEach((row, n) => row.toggleAttribute("aria-current", n === now));
    rows[now].setAttribute("aria-current", "step");
    const equal = rows[now].querySelector("td:last-child > code");
    const step = equal && equal.textContent.replace(/^\w+ = /, "");
    section.querySelectorAll("[data-step]").forEach((box) => box.classList.toggle("now", box.dataset.step === step));
    const parts = [...rows[now].cells].slice(1).flatMap((cell) => [...cell.childNodes]);
    const told = parts.map((part) => part.textContent.trim()).filter(Boolean).join(" · ");
    const count = controls.dataset.now.replace("{n}", now + 1).replace("{all}", rows.length);
    out.textContent = `${count}: ${told}`;
  };
  controls.hidden = false;
  controls.addEventListener("click", ({ target }) => {
    if (target.dataset.by) show(now + Number(target.dataset.by));
    if (target.dataset.to) show(Number(target.dataset.to));
  });
}
// A link to a closed card opens it.
const open = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") target.open = true;
};
addEventListener("hashchange", open);
open();
