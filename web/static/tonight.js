// Tonight: each step of filling in the draft fetches the page the form would go to, and swaps the parts that changed.
"use strict";

const byId = (id) => document.getElementById(id);
const form = byId("draft");
const announcer = byId("announcer");

/** Say a sentence; the same one twice is said twice. */
function say(sentence) {
  if (!sentence) return;
  announcer.textContent = announcer.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

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

let asked = 0;

/** Take a step: what the form says now goes into the address, and the answer's parts onto the page. */
async function take(step, used) {
  const told = new URLSearchParams(new FormData(form));
  told.delete("instead");
  const kept = `${location.pathname}?${told}`;
  if (step) told.append("do", step);
  const mine = ++asked;
  let html;
  try {
    const answer = await fetch(`${location.pathname}?${told}`);
    if (!answer.ok) throw new Error(answer.statusText);
    html = await answer.text();
  } catch {
    say(byId("tonight").dataset.lost);
    return;
  }
  if (mine !== asked) return; // another step was taken meanwhile
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const open = [...document.querySelectorAll("details[open]")].map((one) => one.id);
  for (const part of document.querySelectorAll("[data-part]")) {
    const now = fresh.getElementById(part.id);
    if (now) part.replaceWith(document.importNode(now, true));
  }
  open.forEach((id) => byId(id)?.setAttribute("open", ""));
  document.title = fresh.title;
  const after = new URLSearchParams(new FormData(form));
  after.delete("instead");
  history.replaceState(null, "", step ? `${location.pathname}?${after}` : kept);
  if (step && step !== "game") goOn(used, step);
  else byId(used)?.focus();
  say(byId("begin-part").dataset.said);
}

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button?.getAttribute("formmethod") !== "get") return; // Begin goes the ordinary way
  event.preventDefault();
  take(button.value, button.id);
});

form.addEventListener("change", (event) => {
  if (event.target.name === "game") take("game", event.target.id);
});

form.addEventListener("keydown", (event) => {
  const field = event.target;
  if (field.name !== "player") return;
  const row = [...document.querySelectorAll(".name")].indexOf(field);
  if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    const by = event.key === "ArrowUp" ? -1 : 1;
    if (document.querySelectorAll(".row").length > row + by && row + by >= 0) {
      take(`${by < 0 ? "up" : "down"}:${row}`, field.id).then(() => byId(`player-${row + by + 1}`)?.focus());
    }
  } else if (event.key === "Enter" && !event.isComposing) {
    // Enter in a name goes on to the next one, and asks for one more row after the last.
    event.preventDefault();
    const next = byId(`player-${row + 2}`);
    if (next) next.focus();
    else if (field.value.trim()) take("add", "add");
  }
});

/** Another match may come onto the table meanwhile: what is said of it here is fetched anew. */
function listen() {
  const { number, match } = byId("tonight").dataset;
  let shown = match;
  const events = new EventSource(`events?view=tonight&after=${number}`);
  events.addEventListener("notice", (event) => {
    const told = JSON.parse(event.data);
    if (told.match !== shown) take("", document.activeElement?.id ?? "");
    shown = told.match;
  });
}

if (byId("worries")) byId("worries").focus();
listen();
