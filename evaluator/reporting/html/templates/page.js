"use strict";
// Sorting and filtering only: everything can be read without this script.
const collator = new Intl.Collator("en", { numeric: true });
const NOTHING = "–";
const AT_A_TIME = 500;
const choice = { wanted: "", state: "" };

function itemsOf(table) {
  return table.tBodies.length > 1 ? [...table.tBodies] : [...(table.tBodies[0]?.rows ?? [])];
}

function rowOf(item) {
  return item.rows ? item.rows[0] : item;
}

function keyOf(item, column) {
  const cell = rowOf(item).cells[column];
  const text = cell.dataset.key ?? cell.textContent.trim();
  return text === NOTHING ? null : text;
}

function compareKeys(a, b) {
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? collator.compare(a, b) : difference;
}

function sortTable(table, head) {
  const column = head.cellIndex;
  const up = head.getAttribute("aria-sort") !== "ascending";
  const sign = up ? 1 : -1;
  const entries = table.order.map((item, place) => ({ item, place, key: keyOf(item, column) }));
  entries.sort((a, b) => {
    if (a.key === null || b.key === null) {
      return (a.key === null) - (b.key === null) || a.place - b.place;
    }
    return sign * compareKeys(a.key, b.key) || a.place - b.place;
  });
  const parent = entries[0]?.item.parentNode;
  table.items = entries.map((entry) => entry.item);
  parent?.append(...table.items);
  showItems(table);
  for (const other of table.tHead.rows[0].cells) {
    other.removeAttribute("aria-sort");
  }
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
}

function makeSortable(table) {
  table.order = itemsOf(table);
  table.items = table.order;
  table.limit = AT_A_TIME;
  table.more = addMore(table);
  for (const head of table.tHead.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    const arrow = document.createElement("span");
    arrow.className = "arrow";
    (button.querySelector("small") ?? button).append(arrow);
    button.addEventListener("click", () => sortTable(table, head));
    head.append(button);
  }
}

function addMore(table) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more-rows";
  button.hidden = true;
  button.addEventListener("click", () => {
    table.limit += AT_A_TIME;
    showItems(table);
  });
  table.parentNode.after(button);
  return button;
}

function fits(item) {
  const { wanted, state } = choice;
  const found = item.dataset.state.split(" ");
  const missed = !found.some((each) => ["complete", "unscored", "unknown"].includes(each));
  const isState = !state || found.includes(state) || (state === "missed" && missed);
  return isState && (!wanted || item.textContent.toLowerCase().includes(wanted));
}

// Shows the first items that fit: a browser is slow to lay out thousands of rows at once.
function showItems(table) {
  let count = 0;
  for (const item of table.items) {
    const isWanted = fits(item);
    item.hidden = !isWanted || count >= table.limit;
    count += isWanted ? 1 : 0;
  }
  table.more.hidden = count <= table.limit;
  table.more.textContent = `Show ${Math.min(AT_A_TIME, count - table.limit)} more of ${count}`;
  return count;
}

function filterTables(tables, controls) {
  choice.wanted = controls.search.value.trim().toLowerCase();
  choice.state = controls.state.value;
  let found = 0;
  let all = 0;
  for (const table of tables) {
    table.limit = AT_A_TIME;
    const count = showItems(table);
    found += count;
    all += table.order.length;
    const fold = table.closest("details");
    if (fold && (choice.wanted || choice.state) && count) {
      fold.open = true;
    }
  }
  controls.shown.textContent = `${found} of ${all} found`;
}

function unfoldAll(button) {
  const folds = [...document.querySelectorAll("tr.more details")];
  const open = folds.some((fold) => !fold.open && !fold.closest("[hidden]"));
  for (const fold of folds) {
    fold.open = open && !fold.closest("[hidden]");
  }
  button.textContent = open ? "Fold all" : "Unfold all";
}

function start() {
  const tables = [...document.querySelectorAll("table[data-queries]")];
  const panel = document.querySelector(".controls");
  if (!panel) {
    return;
  }
  tables.forEach(makeSortable);
  tables.forEach(showItems);
  const controls = {
    search: document.getElementById("search"),
    state: document.getElementById("state"),
    shown: document.getElementById("shown"),
  };
  let waiting = 0;
  controls.search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => filterTables(tables, controls), 120);
  });
  controls.state.addEventListener("change", () => filterTables(tables, controls));
  const unfold = document.getElementById("unfold");
  unfold.addEventListener("click", () => unfoldAll(unfold));
  panel.hidden = false;
}

start();
