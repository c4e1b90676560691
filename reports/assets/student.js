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
