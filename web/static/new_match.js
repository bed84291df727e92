// New match: each step of filling in the draft fetches the page the form would go to, and swaps the parts that changed.

import { byId, listen, whenFree } from "./follow.js";
import { say } from "./speech.js";

const form = byId("draft");

/** Where the keyboard goes on after a step: what was used, else what is nearest to it. */
function goOn(used, step) {
  const [name, row] = step.split(":");
  const rows = document.querySelectorAll(".row").length;
  const there = (id) => { const one = byId(id); return one && !one.disabled ? one : null; };
  let next = null;
  if (name === "up") next = there(`up-${row}`) ?? there(`down-${row}`);
  else if (name === "down") next = there(`down-${Number(row) + 2}`) ?? there(`up-${Number(row) + 2}`);
  else if (name === "remove") next = there(`remove-${Math.min(Number(row) + 1, rows)}`) ?? there("add");
  else if (step === "add") next = there(`player-${rows}`);
  else if (name === "add") next = there("known-1") ?? there("add");
  (next ?? byId(used))?.focus();
}

// --- steps, one after the other

/** Where a row (from 0) stands after a step was taken; -1 when it was taken away. */
function rowAfter(step, row) {
  const [name, at, there] = step.split(":");
  const k = Number(at);
  if (name === "remove") return row === k ? -1 : row > k ? row - 1 : row;
  const to = { up: k - 1, down: k + 1, move: Number(there) }[name];
  if (to === undefined) return row;
  if (row === k) return to;
  if (k < row && row <= to) return row - 1;
  return to <= row && row < k ? row + 1 : row;
}

const MOVES = /^(up|down|remove|move):(\d+)(:\d+)?$/;
const OF_ROW = /^(player|starts|grip)-(\d+)$/;

/** A step that was asked for before another one was taken, as it is to be taken now; null when its row is gone. */
function stepAfter(taken, step) {
  const [, name, at, to = ""] = MOVES.exec(step) ?? [];
  if (!name) return step;
  const row = rowAfter(taken, Number(at));
  return row < 0 ? null : `${name}:${row}${to}`;
}

/** The id of a field after a step: those of a row go with it. */
function idAfter(taken, id) {
  const [, name, number] = OF_ROW.exec(id) ?? [];
  return name ? `${name}-${rowAfter(taken, Number(number) - 1) + 1}` : id;
}

const fields = () => [...form.elements].filter((one) => one.id && /^(?:INPUT|SELECT|TEXTAREA)$/.test(one.tagName) && one.type !== "hidden");
const valueOf = (one) => (["radio", "checkbox"].includes(one.type) ? one.checked : one.value);

/** Put back what was filled in while the answer to a step was on its way. */
function putBack(step, before) {
  const since = fields().filter((one) => before.has(one.id) && before.get(one.id) !== valueOf(one));
  const typed = since.map((one) => [idAfter(step, one.id), valueOf(one)]);
  return () => typed.forEach(([id, value]) => {
    const field = byId(id);
    if (!field) return;
    if (typeof value === "boolean") field.checked = value;
    else field.value = value;
  });
}

const PATIENCE = 15000; // ms until an answer is given up
const waiting = []; // steps that were asked for and are not taken yet
let steps = null; // until they are

/** Take a step, after those that were asked for before; a row's step follows its row. */
function take(step, used) {
  if (step === "game" || !step) waiting.filter((one) => one.step === step).forEach((one) => { one.step = null; });
  waiting.push({ step, used });
  steps ??= (async () => {
    while (waiting.length) {
      const { step: now, used: by } = waiting[0];
      if (now !== null) {
        await takeNow(now, by);
        waiting.forEach((one) => {
          one.step = one.step === null ? null : stepAfter(now, one.step);
          one.used = idAfter(now, one.used);
        });
      }
      waiting.shift();
    }
    steps = null;
  })();
  return steps;
}

/** What the form says now goes into the address, and the answer's parts onto the page. */
async function takeNow(step, used) {
  const told = new URLSearchParams(new FormData(form));
  told.delete("instead");
  const kept = `${location.pathname}?${told}`;
  if (step) told.append("do", step);
  const before = new Map(fields().map((one) => [one.id, valueOf(one)]));
  const from = document.activeElement?.id;
  let html;
  try {
    const answer = await fetch(`${location.pathname}?${told}`, { signal: AbortSignal.timeout?.(PATIENCE) });
    if (!answer.ok) throw new Error(answer.statusText);
    html = await answer.text();
  } catch {
    say(byId("new-match").dataset.lost);
    return;
  }
  await new Promise((done) => { whenFree(done); });
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const open = [...document.querySelectorAll("details[open]")].map((one) => one.id);
  const held = document.activeElement;
  const caret = held?.matches("input.name, textarea") ? [held.selectionStart, held.selectionEnd] : null;
  const filled = putBack(step, before);
  for (const part of document.querySelectorAll("[data-part]")) {
    const now = fresh.getElementById(part.id);
    if (now) part.replaceWith(document.importNode(now, true));
  }
  filled();
  open.forEach((id) => byId(id)?.setAttribute("open", ""));
  document.title = fresh.title;
  const after = new URLSearchParams(new FormData(form));
  after.delete("instead");
  history.replaceState(null, "", step ? `${location.pathname}?${after}` : kept);
  const there = byId(idAfter(step, held?.id ?? ""));
  if (held?.id && held.id !== from && there) there.focus(); // somebody went on meanwhile, and stays there
  else if (OF_ROW.test(used)) byId(idAfter(step, used))?.focus();
  else if (step && step !== "game") goOn(used, step);
  else byId(used)?.focus();
  if (caret && there && there === document.activeElement) there.setSelectionRange(...caret);
  say(byId("begin-part").dataset.said);
}

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.getAttribute("formmethod") !== "get") { // Begin goes the ordinary way, once every step is taken
    if (!steps) return;
    event.preventDefault();
    const same = (one) => one.id === button.id && one.name === button.name && one.value === button.value;
    steps.then(() => { if ([...form.elements].some(same)) form.requestSubmit([...form.elements].find(same)); });
    return;
  }
  event.preventDefault();
  take(button.value, button.id);
});

form.addEventListener("change", (event) => {
  if (event.target.name === "game") take("game", event.target.id);
  // A board that was typed is drawn; by then the keyboard has gone on.
  if (event.target.matches("textarea")) setTimeout(() => take("", document.activeElement?.id ?? ""));
});

form.addEventListener("keydown", (event) => {
  const field = event.target;
  const [, of, number] = OF_ROW.exec(field.id) ?? [];
  if (of !== "player" && of !== "grip") return;
  const row = Number(number) - 1;
  if ((event.altKey || of === "grip") && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    const by = event.key === "ArrowUp" ? -1 : 1;
    if (document.querySelectorAll(".row").length > row + by && row + by >= 0) {
      take(`${by < 0 ? "up" : "down"}:${row}`, field.id);
    }
  } else if (event.key === "Enter" && of === "player" && !event.isComposing) {
    // Enter in a name goes on to the next one, and asks for one more row after the last.
    event.preventDefault();
    const next = byId(`player-${row + 2}`);
    if (next) next.focus();
    else if (field.value.trim()) take("add", "add");
  }
});

// --- a player dragged to another place

form.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip");
  if (!grip || event.button !== 0) return;
  const row = grip.closest(".row");
  const rows = [...row.parentElement.children];
  const from = rows.indexOf(row);
  const step = rows.length > 1 ? rows[1].offsetTop - rows[0].offsetTop : row.offsetHeight;
  let to = from;
  const follow = (moved) => {
    const by = moved.clientY - event.clientY;
    to = Math.max(0, Math.min(rows.length - 1, from + Math.round(by / step)));
    row.classList.add("dragged");
    rows.forEach((one, k) => {
      const aside = from < k && k <= to ? -step : to <= k && k < from ? step : 0;
      one.style.translate = `0 ${one === row ? by : aside}px`;
    });
  };
  const leave = (left) => {
    grip.removeEventListener("pointermove", follow);
    rows.forEach((one) => { one.style.translate = ""; });
    row.classList.remove("dragged");
    grip.focus();
    if (left.type === "pointerup" && to !== from) take(`move:${from}:${to}`, grip.id);
  };
  grip.setPointerCapture(event.pointerId);
  grip.addEventListener("pointermove", follow);
  ["pointerup", "pointercancel"].forEach((end) => grip.addEventListener(end, leave, { once: true }));
});

byId("worries")?.focus();

// Another match may come onto the table meanwhile: what is said of it here is fetched anew.
let { match: shown } = byId("new-match").dataset;
listen(() => `/events?view=new_match&after=${byId("new-match").dataset.number}`, {
  notice(event) {
    const told = JSON.parse(event.data);
    if (told.match !== shown) take("", document.activeElement?.id ?? "");
    shown = told.match;
  },
});
