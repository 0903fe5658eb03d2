"use strict";
// Everything from the data is set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const make = (name, text, className) => {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
};
const seconds = (s) => s < 100 ? s.toFixed(2) : s < 1000 ? s.toFixed(1) : s.toFixed(0);

// Sorting: a header's button sorts upwards, then downwards, then as it was. Numbers begin with the largest.
function sorting(table, apply) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((th, column) => {
    const button = make("button", th.textContent);
    button.type = "button";
    th.replaceChildren(button);
    button.addEventListener("click", () => {
      const order = th.classList.contains("number") ? ["descending", "ascending", null] : ["ascending", "descending", null];
      const next = order[(order.indexOf(th.getAttribute("aria-sort")) + 1) % 3];
      for (const other of heads) other.removeAttribute("aria-sort");
      if (next) th.setAttribute("aria-sort", next);
      apply(next && { column, sign: next === "ascending" ? 1 : -1 });
    });
  });
}

// Empty cells come last in either direction.
const compare = (a, b, sign) => {
  if (a === "" || b === "") return (a === "") - (b === "");
  return sign * (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
};

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const value = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.value === undefined) return cell.textContent;
    return cell.dataset.value === "" ? "" : Number(cell.dataset.value);
  };
  sorting(table, (by) => {
    const sorted = by ? [...rows].sort((a, b) => compare(value(a, by.column), value(b, by.column), by.sign)) : rows;
    body.append(...sorted);
  });
  if (rows.length <= 12) continue;
  // A long table has a filter.
  const label = make("label", "Filter ", "filter");
  const input = make("input");
  input.type = "search";
  label.append(input);
  table.parentElement.before(label);
  input.addEventListener("input", () => {
    const parts = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = [...row.cells].map((c) => c.textContent).join("\n").toLowerCase();
      row.hidden = !parts.every((p) => text.includes(p));
    }
  });
}

// What a tool printed on a task.
const dialog = byId("details");
function show(task) {
  byId("details-title").textContent = task.name;
  const body = byId("details-body");
  body.replaceChildren();
  const about = [task.list, task.track !== task.list && task.track, task.family, task.property, "expected: " + (task.expected || "not known")];
  body.append(make("p", about.filter(Boolean).join(" \u00b7 "), "muted"));
  task.cells.forEach((cell, i) => {
    body.append(make("h3", data.tools[i] + (cell ? ": " + cell.says : ": not run"), cell && cell.outcome === "wrong" ? "bad" : ""));
    for (const run of cell ? cell.runs : []) {
      const facts = [
        cell.runs.length > 1 && "repeat " + (run.repeat + 1), run.verdict && "verdict " + run.verdict, "status " + run.status, run.detail, "exit code " + run.exit,
        seconds(run.wall) + " s wall", seconds(run.cpu) + " s cpu", (run.memory / 1048576).toFixed(0) + " MiB",
      ];
      body.append(make("p", facts.filter(Boolean).join(" \u00b7 ")));
      body.append(make("p", run.command, "muted"));
      for (const [name, at] of [["standard output", run.stdout], ["standard error", run.stderr]]) {
        if (at < 0) continue;
        body.append(make("p", name, "muted"), make("pre", data.texts[at]));
      }
      if (run.stdout < 0 && run.stderr < 0 && !run.missing) body.append(make("p", "No output.", "muted"));
      if (run.missing) body.append(make("p", run.missing, "muted"));
    }
  });
  dialog.showModal();
  dialog.scrollTop = 0;
}
byId("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

const opener = (task) => {
  const button = make("button", task.name);
  button.type = "button";
  button.setAttribute("aria-haspopup", "dialog");
  button.addEventListener("click", () => show(task));
  return button;
};
// The findings' tasks open too. Where several tasks share name and track, the first of them does.
const named = new Map();
for (const task of data.tasks) {
  const key = task.track + "\n" + task.name;
  if (!named.has(key)) named.set(key, task);
}
for (const cell of document.querySelectorAll("#findings td.task")) {
  const task = named.get(cell.parentElement.cells[0].textContent + "\n" + cell.textContent);
  if (task) cell.replaceChildren(opener(task));
}

// The marks of a scatter plot open their tasks.
for (const spot of document.querySelectorAll("#plots a.spot")) {
  spot.addEventListener("click", (event) => {
    event.preventDefault();
    show(data.tasks[Number(spot.dataset.task)]);
  });
}

// The list of tasks. Only so many rows are in the page at once, so that thousands of tasks stay quick.
const step = 200;
const list = byId("list");
const state = { rows: data.tasks, limit: step, by: null };
const families = data.tasks.some((t) => t.family);
const properties = data.tasks.some((t) => t.property);
const columns = [
  { head: "track", value: (t) => t.track },
  families && { head: "family", value: (t) => t.family },
  { head: "task", className: "task", value: (t) => t.name, fill: (td, t) => td.append(opener(t)) },
  properties && { head: "property", value: (t) => t.property || "" },
  { head: "expected", value: (t) => t.expected, fill: (td, t) => { td.textContent = t.expected || "-"; } },
  ...data.tools.flatMap((tool, i) => [
    {
      head: tool, value: (t) => t.cells[i] ? t.cells[i].says : "",
      fill: (td, t) => {
        const cell = t.cells[i];
        if (!cell) return;
        td.textContent = cell.says + (cell.unsteady ? " (unsteady)" : "");
        td.className = cell.outcome === "wrong" ? "bad" : cell.outcome === "solved" ? "" : "open";
      },
    },
    {
      head: data.time + ", s", className: "number", value: (t) => t.cells[i] ? t.cells[i].seconds : "",
      fill: (td, t) => { if (t.cells[i]) td.textContent = seconds(t.cells[i].seconds); },
    },
  ]),
].filter(Boolean);
const words = data.tasks.map((t) => [
  t.list, t.track, t.family, t.name, t.property, "expected:" + t.expected,
  ...t.cells.flatMap((c, i) => c ? [data.tools[i] + ":" + c.outcome, data.tools[i] + ":" + c.says] : [data.tools[i] + ":not-run"]),
].join("\n").toLowerCase());
const solved = (t) => t.cells.filter((c) => c && c.outcome === "solved").length;
const choices = {
  all: () => true,
  wrong: (t) => t.disputed || t.cells.some((c) => c && c.outcome === "wrong"),
  some: (t) => solved(t) > 0 && solved(t) < t.cells.length,
  none: (t) => solved(t) === 0,
  unsteady: (t) => t.cells.some((c) => c && c.unsteady),
};

function choose() {
  const parts = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const choice = choices[byId("choice").value];
  state.rows = data.tasks.filter((t, i) => choice(t) && parts.every((p) => words[i].includes(p)));
  if (state.by) {
    const { column, sign } = state.by;
    state.rows.sort((a, b) => compare(columns[column].value(a), columns[column].value(b), sign));
  }
  state.limit = step;
  draw();
}

function draw() {
  const shown = state.rows.slice(0, state.limit);
  list.tBodies[0].replaceChildren(...shown.map((task) => {
    const tr = make("tr");
    for (const column of columns) {
      const td = make("td", undefined, column.className);
      if (column.fill) column.fill(td, task);
      else td.textContent = column.value(task);
      tr.append(td);
    }
    return tr;
  }));
  const rest = state.rows.length - shown.length;
  byId("count").textContent = state.rows.length + " of " + data.tasks.length + " tasks";
  document.querySelector(".more").hidden = rest <= 0;
  byId("more").textContent = "Show " + Math.min(step, rest) + " more";
  byId("everything").textContent = "Show all " + state.rows.length;
}

const head = make("tr");
for (const column of columns) {
  const th = make("th", column.head, column.className);
  th.scope = "col";
  head.append(th);
}
list.tHead.append(head);
sorting(list, (by) => { state.by = by; choose(); });
byId("filter").addEventListener("input", choose);
byId("choice").addEventListener("change", choose);
byId("more").addEventListener("click", () => { state.limit += step; draw(); });
byId("everything").addEventListener("click", () => { state.limit = Infinity; draw(); });
for (const e of document.querySelectorAll("#tasks [hidden]")) e.hidden = false;
choose();
