"use strict";
// The list and the source are in the page; the script moves a mark through the list and shows what is known at it.
const byId = (id) => document.getElementById(id);
const make = (name, text, className) => {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
};
const trace = byId("trace"), source = byId("source"), state = byId("state");
const steps = [...document.querySelectorAll(".s")];
const index = new Map(steps.map((s, i) => [s.id, i]));
const failure = steps.findLastIndex((s) => s.dataset.kind === "error" && !s.classList.contains("o"));
let now = -1;

const valuesOf = (s) => [...s.querySelectorAll(".v")].map((v) => ({
  name: v.querySelector("var").textContent, value: v.dataset.value ?? v.querySelector("samp").textContent, global: "global" in v.dataset,
}));

// The values of variables: what is said of a whole variable is said of its parts too.
function put(values, v) {
  for (const name of [...values.keys()]) if (name.startsWith(v.name + "[") || name.startsWith(v.name + ".")) values.delete(name);
  values.delete(v.name);
  values.set(v.name, v.value);
}

// Of a generated program, the steps in its source stand for its own ones, which have other variables.
const own = (s) => s.classList.contains("o");

// What is known after the steps up to one: the calls, the outermost first, and the globals.
function known(last) {
  const globals = new Map(), calls = [], inner = own(steps[last]);
  for (let i = 0; i <= last; i++) {
    if (own(steps[i]) !== inner) continue;
    const s = steps[i], depth = +s.dataset.depth, kind = s.dataset.kind;
    if (kind === "omitted") { calls.length = 0; continue; }
    while (calls.length <= depth) calls.push({ procedure: "…", values: new Map(), from: -1 });
    calls.length = depth + 1;
    if (kind !== "call" && kind !== "return" && calls[depth].procedure === "…") calls[depth].procedure = s.dataset.procedure;
    if (kind === "call") calls.push({ procedure: s.dataset.procedure, values: new Map(), from: i });
    for (const v of valuesOf(s)) put(v.global ? globals : calls[calls.length - 1].values, v);
  }
  return { globals, calls };
}

// What every variable gets over time, by the call that it is of: the index of the step that enters it, -1 for the entry, or "globals".
const changes = new Map();
{
  let calls = [-1];
  steps.forEach((s, i) => {
    const depth = +s.dataset.depth, kind = s.dataset.kind;
    if (own(s)) return;
    if (kind === "omitted") { calls = []; return; }
    while (calls.length <= depth) calls.push(-1);
    calls.length = depth + 1;
    if (kind === "call") calls.push(i);
    for (const v of valuesOf(s)) {
      const key = (v.global ? "globals" : calls[calls.length - 1]) + " " + v.name;
      if (!changes.has(key)) changes.set(key, []);
      // The error tells values, and gives none.
      if (kind !== "error" || changes.get(key).at(-1)?.value !== v.value) changes.get(key).push({ step: i, value: v.value });
    }
  });
}

// The values of a variable, each a link to the step that gives it.
function historyOf(list) {
  const cell = make("td", undefined, "history"), most = 200;
  cell.colSpan = 2;
  list.slice(-most).forEach((c, i) => {
    const link = make("a", c.value.length > 30 ? c.value.slice(0, 30) + "…" : c.value);
    link.href = "#" + steps[c.step].id;
    link.title = "line " + steps[c.step].querySelector(".at").textContent;
    if (c.step <= now && !(list.slice(-most)[i + 1]?.step <= now)) link.setAttribute("aria-current", "true");
    link.addEventListener("click", (e) => { e.preventDefault(); select(c.step); });
    cell.append(i ? " → " : list.length > most ? "… → " : "", link);
  });
  return cell;
}

// The variables whose values over time are shown.
const followed = new Set();

// The calls of the run as a tree, each a link to its step.
function callTree() {
  const details = make("details", undefined, "tree"), most = 2000;
  const root = make("ul"), open = [root];
  let count = 0;
  steps.forEach((s, i) => {
    if (own(s) || s.dataset.kind !== "call" || count++ > most) return;
    const depth = +s.dataset.depth;
    while (open.length > depth + 1) open.pop();
    const item = make("li"), link = make("a", s.dataset.procedure), list = make("ul");
    link.href = "#" + s.id;
    link.addEventListener("click", (e) => { e.preventDefault(); select(i); });
    item.append(link, make("span", " line " + s.querySelector(".at").textContent, "muted"), list);
    open[open.length - 1].append(item);
    open.push(list);
  });
  for (const list of root.querySelectorAll("ul:empty")) list.remove();
  details.append(make("summary", "Call tree: " + count + (count === 1 ? " call" : " calls")), root);
  return count > 0 ? details : null;
}
const tree = callTree();

// The calls that the user has closed stay closed.
const closed = new Set();
function tableOf(values, changed, owner) {
  const table = make("table"), body = table.createTBody();
  const names = [...values.keys()];
  const base = (name) => name.slice(0, name.search(/[[.]|$/));
  names.sort((a, b) => names.findIndex((n) => base(n) === base(a)) - names.findIndex((n) => base(n) === base(b)));
  for (const name of names) {
    const row = body.insertRow(), part = base(name) !== name;
    if (changed.has(name)) row.classList.add("new");
    if (part && values.has(base(name))) row.classList.add("part");
    const stale = !part && names.some((n) => n !== name && base(n) === name);
    if (stale) row.classList.add("stale");
    const list = own(steps[now]) ? [] : changes.get(owner + " " + name) ?? [], key = owner + " " + name, cell = row.insertCell();
    if (list.length > 1) {
      const button = make("button");
      button.type = "button";
      button.title = "its values over time";
      button.setAttribute("aria-expanded", followed.has(key));
      button.append(make("var", name));
      button.addEventListener("click", () => { if (!followed.delete(key)) followed.add(key); showState(); });
      cell.append(button, stale ? " before" : "");
    } else cell.append(make("var", name), stale ? " before" : "");
    row.insertCell().append(make("samp", values.get(name)));
    if (list.length > 1 && followed.has(key)) row.insertCell().replaceWith(historyOf(list));
  }
  return table;
}

function frame(key, title, where, values, changed, open, owner = where) {
  const details = make("details"), summary = make("summary");
  details.open = closed.has(key) ? false : open || closed.has("+" + key);
  details.addEventListener("toggle", () => {
    if (details.open) { closed.delete(key); if (!open) closed.add("+" + key); } else { closed.delete("+" + key); if (open) closed.add(key); }
  });
  summary.append(make("b", title));
  if (where >= 0) {
    const line = steps[where].querySelector(".at").textContent, link = make("a", "called in line " + line);
    link.href = "#" + steps[where].id;
    link.addEventListener("click", (e) => { e.preventDefault(); select(where); });
    summary.append(" ", link);
  }
  if (values.size === 0) summary.append(" ", make("span", "no values yet", "muted"));
  details.append(summary);
  if (values.size > 0) details.append(tableOf(values, changed, owner));
  return details;
}

function showState() {
  const { globals, calls } = known(now), changed = valuesOf(steps[now]);
  const names = (global) => new Set(changed.filter((v) => v.global === global).map((v) => v.name));
  const list = calls.map((c, i) => frame(i + c.procedure, c.procedure, c.from, c.values, i === calls.length - 1 ? names(false) : new Set(), i >= calls.length - 3)).reverse();
  if (globals.size > 0) list.push(frame("globals", "globals", -1, globals, names(true), true, "globals"));
  state.replaceChildren(make("h2", "Calls and values after this step"), ...list, ...(tree ? [tree] : []));
}

function showFile(section) {
  for (const f of document.querySelectorAll(".file")) f.hidden = f !== section;
  for (const a of document.querySelectorAll(".files a")) a.toggleAttribute("aria-current", "file" + a.dataset.file === section.id);
}

// An element is brought to the middle of its pane, if it is not in sight.
function bring(pane, e) {
  const p = pane.getBoundingClientRect(), r = e.getBoundingClientRect(), margin = Math.min(60, p.height / 4);
  if (r.top < p.top + margin || r.bottom > p.bottom - margin) pane.scrollTop += r.top - p.top - (p.height - r.height) / 2;
}

function unfoldAround(e) {
  for (let d = e.parentElement.closest("details"); d; d = d.parentElement.closest("details")) if (!d.firstElementChild.contains(e)) d.open = true;
}

// The word at a column of a line is marked, from there on to its end.
function markColumn(line, column) {
  const words = document.createTreeWalker(line.querySelector("code"), NodeFilter.SHOW_TEXT);
  let at = column - 1;
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const letters = [...node.data];
    if (at < letters.length) {
      const from = letters.slice(0, at).join("").length, word = node.data.slice(from).match(/^[\w$.]+|^\S/u);
      if (!word) return;
      const mark = make("mark"), rest = node.splitText(from);
      rest.splitText(word[0].length);
      rest.replaceWith(mark);
      mark.append(rest);
      return;
    }
    at -= letters.length;
  }
}
function unmark() {
  for (const mark of source.querySelectorAll("code mark")) {
    const parent = mark.parentElement;
    mark.replaceWith(...mark.childNodes);
    parent.normalize();
  }
}

function showLine(line, column) {
  document.querySelector(".l.now")?.classList.remove("now");
  unmark();
  if (!line) return;
  showFile(line.closest(".file"));
  unfoldAround(line);
  line.classList.add("now");
  if (column) markColumn(line, +column);
  bring(source, line);
}

function select(i) {
  if (i < 0 || i >= steps.length) return;
  steps[now]?.classList.remove("now");
  steps[now]?.removeAttribute("aria-current");
  now = i;
  const s = steps[i];
  unfoldAround(s);
  s.classList.add("now");
  s.setAttribute("aria-current", "step");
  bring(trace, s);
  showLine(s.dataset.line ? byId(s.dataset.line) : null, s.dataset.column);
  showState();
  try { history.replaceState(null, "", "#" + s.id); } catch { /* some browsers forbid it for files */ }
}

// The details in which a step is hidden, if it is.
function hider(s) {
  let d = s.closest("details:not([open])");
  if (d && d.firstElementChild.contains(s)) d = d.parentElement.closest("details:not([open])");
  return d;
}

function move(by) {
  let i = now + by;
  while (i >= 0 && i < steps.length && hider(steps[i])) i += by;
  select(i);
}

// The call, or line of the source, that a step is inside of, or -1.
function around(i) {
  const within = own(steps[i]) && steps[i].closest("li").parentElement.closest("details");
  if (within) return index.get((within.matches(".own") ? within.parentElement : within).querySelector(".s").id);
  const depth = +steps[i].dataset.depth;
  for (let j = i - 1; j >= 0; j--) if (steps[j].dataset.kind === "call" && +steps[j].dataset.depth < depth && own(steps[j]) === own(steps[i])) return j;
  return -1;
}

const ownDetails = (s) => s.parentElement.matches("summary") ? s.parentElement.parentElement : null;
const keys = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  ArrowRight: () => { const d = ownDetails(steps[now]); if (d && !d.open) d.open = true; else move(1); },
  ArrowLeft: () => { const d = ownDetails(steps[now]); if (d && d.open) d.open = false; else select(Math.max(around(now), 0)); },
  Home: () => select(0),
  End: () => select(failure),
};

document.addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || !keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
for (const b of document.querySelectorAll("#bar [data-key]")) b.addEventListener("click", () => keys[b.dataset.key]());
byId("unfold").addEventListener("click", () => { for (const d of trace.querySelectorAll("details:not(.visit, .own)")) d.open = true; bring(trace, steps[now]); });
byId("foldall").addEventListener("click", () => { for (const d of trace.querySelectorAll("details")) d.open = false; bring(trace, hider(steps[now]) ?? steps[now]); });

trace.addEventListener("click", (e) => {
  const s = e.target.closest(".s");
  if (!s) return;
  // What is left of a call's line folds it, as the browser does; the rest is the step.
  e.preventDefault();
  const d = ownDetails(s);
  if (d && !d.open) d.open = true;
  select(index.get(s.id));
});
// A line of the source selects the next step there, from the beginning again after the last.
source.addEventListener("click", (e) => {
  const line = e.target.closest(".l");
  if (!line || !line.classList.contains("hit") && !line.classList.contains("fails")) return;
  e.preventDefault();
  for (let k = 1; k <= steps.length; k++) {
    const i = (now + k) % steps.length;
    if (steps[i].dataset.line === line.id) return select(i);
  }
});
for (const a of document.querySelectorAll(".jump")) a.addEventListener("click", (e) => { e.preventDefault(); select(index.get("s" + a.dataset.step)); });
for (const a of document.querySelectorAll(".files a")) a.addEventListener("click", (e) => { e.preventDefault(); showFile(byId("file" + a.dataset.file)); });

const wanted = index.get(location.hash.slice(1));
document.documentElement.classList.add("js");
byId("bar").hidden = state.hidden = false;
select(wanted ?? failure);
