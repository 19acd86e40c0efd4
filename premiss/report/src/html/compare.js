"use strict";
(() => {
  const table = document.querySelector("table.nests");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const said = document.getElementById("said");
  const boxes = [...document.querySelectorAll("input[name=group]")];
  const filter = document.getElementById("filter");

  // What is shown: rows of the chosen kinds that have all words of the filter.
  const show = () => {
    const groups = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !groups.has(row.dataset.group) || !words.every((word) => text.includes(word));
      n += row.hidden ? 0 : 1;
    }
    said.textContent = n + " of " + rows.length + " rows";
  };
  for (const box of boxes) box.addEventListener("change", show);
  filter.addEventListener("input", show);
  show();
  said.textContent = "";

  // Sorting by a column: rising, falling, and as it was. Bounds count by their upper end; what is unknown comes last.
  const value = (row, column) => {
    const cell = row.cells[column];
    const data = cell.querySelector("data");
    if (column < 2 || column > 5) return cell.textContent.trim();
    const parts = data ? data.value.split("..") : [""];
    return parts[parts.length - 1] === "" ? null : Number(parts[parts.length - 1]);
  };
  const compare = (a, b) => (typeof a === "string" ? (a < b ? -1 : a > b ? 1 : 0) : a - b);
  const buttons = [...table.querySelectorAll("button[data-sort]")];
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const next = { ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")] || "ascending";
      for (const other of buttons) other.closest("th").removeAttribute("aria-sort");
      if (next !== "none") head.setAttribute("aria-sort", next);
      const column = Number(button.dataset.sort);
      const sign = next === "descending" ? -1 : 1;
      const sorted = [...rows];
      if (next !== "none") {
        sorted.sort((x, y) => {
          const [a, b] = [value(x, column), value(y, column)];
          return a === null || b === null ? (a === null) - (b === null) : sign * compare(a, b);
        });
      }
      body.append(...sorted);
      said.textContent = next === "none" ? "In the order of the verdict"
        : "Sorted by " + button.textContent + ", " + next;
    });
  }
})();
