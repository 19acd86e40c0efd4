"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const say = (text) => { document.getElementById("said").textContent = text; };
  const BLOCKS = "█";

  // The level that heat is of: its blocks, and its column.
  const choose = (level) => {
    for (const cell of all(".heat[data-heat]")) {
      const heat = Number(cell.dataset.heat.split(" ")[level]);
      const mark = cell.firstElementChild;
      mark.className = "h" + heat;
      mark.textContent = BLOCKS.repeat(heat);
      mark.setAttribute("aria-label", "heat " + heat + " of 4");
    }
    for (const source of all("table.source")) source.dataset.level = level;
    for (const column of all("col[data-level]")) {
      column.classList.toggle("chosen", column.dataset.level === String(level));
    }
  };
  for (const input of all("input[name=level]")) {
    input.addEventListener("change", () => {
      choose(Number(input.value));
      say("Heat by misses in " + input.parentElement.textContent.trim());
    });
  }
  choose(Number((all("input[name=level]").find((input) => input.checked) || { value: 0 }).value));

  // Light and dark: the button says what it changes to.
  const theme = document.getElementById("theme");
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const showTheme = () => {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-pressed", String(isDark()));
    theme.setAttribute("aria-label", "Dark colours");
  };
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  prefersDark.addEventListener("change", showTheme);
  showTheme();

  // Arrows walk through the references of a source, and unfold and fold them.
  for (const source of all("table.source")) {
    const summaries = all("summary", source);
    source.addEventListener("keydown", (event) => {
      const at = summaries.indexOf(document.activeElement);
      if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: summaries.length - 1 }[event.key];
      if (to !== undefined) {
        summaries[Math.min(Math.max(to, 0), summaries.length - 1)].focus();
      } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
        summaries[at].parentElement.open = event.key === "ArrowRight";
      } else {
        return;
      }
      event.preventDefault();
    });
  }

  // A link to a reference shows its derivation.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "SUMMARY") {
      target.parentElement.open = true;
      target.focus();
    }
  };
  window.addEventListener("hashchange", reveal);
  reveal();

  // Saving pictures and their numbers.
  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say("Saved " + name);
  };
  const field = (cell) => {
    const data = cell.querySelector("data");
    const text = data ? data.value : cell.textContent;
    return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  for (const button of all("button[data-save]")) {
    button.addEventListener("click", () => {
      const figure = button.closest("figure");
      const name = figure.dataset.name;
      if (button.dataset.save === "svg") {
        const picture = new XMLSerializer().serializeToString(figure.querySelector("svg"));
        save(name + ".svg", "image/svg+xml", picture + "\n");
      } else {
        const rows = all("details tr", figure).map((row) => [...row.cells].map(field).join(","));
        save(name + ".csv", "text/csv", rows.join("\r\n") + "\r\n");
      }
    });
  }

})();
