// The table's page: sends what people do, by tap or by key, and says what the table says.

import { byId, follow } from "./follow.js";
import { post } from "./sending.js";
import { instead, repeat, say, setUpKeys, setUpSpeech, speaks, switchSpeech } from "./speech.js";
import { watch } from "./watching.js";

const root = byId("table");
const words = root.dataset;

/** Say why something is refused, with a way to the paragraph that refuses it, and to the house rule that would not. */
function refuse(said, rule, houseRule) {
  const ways = [[rule, words.rule], [houseRule === rule ? null : houseRule, words.houseRule]].filter(([to]) => to);
  const links = ways.flatMap(([to, label]) => [" ", Object.assign(document.createElement("a"), { href: to, textContent: label })]);
  byId("refusal").replaceChildren(said.trim(), ...links);
  if (speaks()) instead(said.trim());
}

/** Who may use this device: another match may be on the table. */
function offerPlayers(players) {
  const who = byId("who");
  if (!who || [...who.options].slice(1).map((one) => one.value).join("\n") === players.join("\n")) return;
  const chosen = who.value;
  while (who.options.length > 1) who.remove(1);
  players.forEach((name) => who.add(new Option(name)));
  who.value = players.includes(chosen) ? chosen : "";
}

const PATIENCE = 20000; // ms until an answer is given up: nothing that is done later shall wait for a line that is dead

const onTheWay = new Set();
const ours = new Map(); // where the log stood before something done here, and after it
let last = Promise.resolve();

const matchOf = (log) => log.slice(0, log.lastIndexOf(":"));

/** What this page has seen of the log: what its newest notice said, and what it did itself since. */
function seenOf(log) {
  let seen = log;
  while (ours.has(seen)) seen = ours.get(seen);
  return seen; // of two devices that decide at once, the second hears of it
}

async function hand(action, sent, log, refused) {
  const seen = seenOf(log);
  sent.append("seen", seen);
  try {
    const answer = await post(action, sent, { patience: PATIENCE });
    const text = await answer.text();
    const now = answer.headers.get("X-Log");
    if (now && now !== seen && matchOf(now) === matchOf(seen)) ours.set(seen, now);
    if (answer.ok) return text;
    if (answer.headers.has("X-Asks")) { // it is done when somebody says so once more
      byId("asked").replaceChildren(new DOMParser().parseFromString(text, "text/html").querySelector("form"));
      open("asks");
      return null;
    }
    refused(text, answer.headers.get("X-Rule"), answer.headers.get("X-House-Rule"));
  } catch {
    refuse(words.noAnswer);
  }
  return null;
}

/**
 * Send a form without leaving the page; the answer's text, or null when it was refused. What is done first arrives
 * first, though browsers send on several lines at once. The same thing twice, with neither answer nor news between, is a
 * double tap: it is not sent, and undefined.
 */
async function send(action, fields, refused = refuse) {
  const sent = new URLSearchParams(fields);
  const who = byId("who")?.value;
  if (who) sent.append("by", who);
  const what = `${words.number} ${action}?${sent}`;
  if (onTheWay.has(what)) return undefined;
  refuse("");
  onTheWay.add(what);
  const log = words.log;
  last = last.then(() => hand(action, sent, log, refused));
  const answer = await last;
  onTheWay.delete(what);
  return answer;
}

// --- what is filled in and sent: the keyboard goes on at once, the answer may come later than the next key

let strokes = 0; // how often anything was typed
const texts = (form) => [...form.querySelectorAll("input[type=text][id]")].map((one) => [one.id, one.value]);

/** It was taken: the fields are empty, unless something was typed since. */
function emptied(typed, then) {
  if (strokes !== then) return;
  typed.filter(([id]) => id !== "players").forEach(([id]) => { if (byId(id)) byId(id).value = ""; });
}

/** It was refused: what was typed is there again, and so is the keyboard, unless it went on. */
function givenBack(form, typed, left, to) {
  delete form.dataset.sent;
  typed.forEach(([id, value]) => { if (byId(id) && !byId(id).value) byId(id).value = value; });
  if (!left || ![byId(to), document.body].includes(document.activeElement)) return;
  byId(left)?.closest("details")?.setAttribute("open", "");
  byId(left)?.focus();
}

// --- what is on its way is seen at once, and taken back when the table says no

const tapped = { box: null }; // where on the sheet somebody tapped last
const holds = new Map(); // dice that were tapped: what was asked for, until the news of it is there

function showHolds() {
  document.querySelectorAll("form.token").forEach((form) => {
    const die = form.querySelector(".die");
    const held = holds.get(die.value)?.wanted ?? (form.dataset.state === "held" ? "yes" : "no");
    form.elements.held.value = held === "yes" ? "no" : "yes";
    die.setAttribute("aria-pressed", String(held === "yes"));
    [die, document.querySelector(`.outline[data-die="${die.value}"]`)].forEach((one) => one?.classList.toggle("held", held === "yes"));
  });
}

/** Show that a form is on its way; what undoes that when the answer is there. */
function going(form, button, fields) {
  if (button?.ariaDisabled === "true") return () => {};
  button?.setAttribute("aria-busy", "true");
  const thrown = button?.id === "throw";
  if (thrown) byId("play").classList.add("thrown");
  const hold = form.matches(".token") && { wanted: fields.get("held"), log: words.log, done: false };
  if (hold) { holds.set(fields.get("die"), hold); showHolds(); }
  if (form.closest("#sheet") && button) tapped.box = button.getBoundingClientRect();
  return (refused) => {
    button?.removeAttribute("aria-busy");
    if (thrown && refused) byId("play").classList.remove("thrown");
    if (!hold) return;
    hold.done = true;
    if (refused && holds.get(fields.get("die")) === hold) { holds.delete(fields.get("die")); showHolds(); }
  };
}

document.addEventListener("input", (event) => {
  strokes += 1;
  delete event.target.form?.dataset.sent;
});

const OFF = 500; // ms in which a button that is switched off asks the table once, however often it is tapped
let knocked = 0;

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if ("own" in form.dataset) return; // it opens a page of its own
  event.preventDefault();
  if (form.method === "dialog") { form.closest("dialog")?.close(); return; }
  if (form.classList.contains("ask")) { ask("advice"); return; }
  if (event.submitter?.ariaDisabled === "true") {
    if (Date.now() - knocked < OFF) return;
    knocked = Date.now();
  }
  const fields = new FormData(form, event.submitter);
  const [typed, then] = [texts(form), strokes];
  const left = form.elements.faces && form.contains(document.activeElement) ? document.activeElement.id : "";
  const to = left && (byId("throw") ? "throw" : "play");
  form.dataset.sent = "";
  if (to) byId(to).focus({ preventScroll: true });
  if (form.closest(".fix") && amended) amendDie(0);
  // What looks switched off may have come on again unheard: the table decides, and saying why not is no alarm.
  const [arrived, folded] = [going(form, event.submitter, fields), !form.elements.faces && form.closest(".pop, dialog")];
  const answer = await send(event.submitter?.getAttribute("formaction") ?? form.getAttribute("action"), fields, event.submitter?.ariaDisabled === "true" ? say : refuse);
  if (answer === undefined) return;
  arrived(answer === null);
  if (answer === null) {
    givenBack(form, typed, left, to);
    if (form.id === "leave" && byId("refusal").textContent) byId("asks").close(); // the refusal lies behind it
    return;
  }
  if (folded) closePops();
  if (form.classList.contains("typed")) emptied(typed, then);
  if (form.classList.contains("hand-over")) { byId("own-hand").innerHTML = answer; open("secret"); }
  else form.closest("dialog")?.close();
});

// --- dice

let amended = 0;
let amendedAt = ""; // how the log stood then: after another throw it is another die

/** What the die that is corrected may show instead is seen, likeliest first; the others' is not. */
function showFix() {
  document.querySelectorAll(".fix").forEach((one) => { one.hidden = one.id !== `fix-of-${amended}`; });
  document.querySelectorAll("[aria-controls^=fix-of-]").forEach((one) => {
    one.setAttribute("aria-expanded", String(one.value === String(amended)));
  });
}

/** Correct a die; the same one again (or 0) closes it. */
function amendDie(number) {
  const before = amended;
  amended = number === amended ? 0 : number;
  amendedAt = words.log;
  showFix();
  if (amended) byId(`fix-of-${amended}`)?.querySelector("button")?.focus();
  else byId(`die-${before}`)?.focus();
}

const LONG = 500; // ms until a finger that rests on a die means to correct it
const STILL = 10; // px that it may move meanwhile

let resting = 0;
let rested = false; // the click that comes of it is none
let touched = [0, 0];

/** The number of the die that a button or an outline stands for; 0 for anything else, and where none can be corrected. */
function dieOf(target) {
  const one = target.closest?.("button.die, .outline");
  const number = Number(one?.dataset.die ?? one?.value ?? 0);
  return byId(`fix-of-${number}`) ? number : 0;
}

document.addEventListener("pointerdown", (event) => {
  closePops(event.target);
  clearTimeout(resting);
  rested = false;
  const number = dieOf(event.target);
  if (amended && !number && !event.target.closest(".fix, .pencil")) amendDie(0);
  if (!number || event.button) return;
  touched = [event.clientX, event.clientY];
  resting = setTimeout(() => { rested = true; if (amended !== number) amendDie(number); }, LONG);
});
document.addEventListener("pointermove", (event) => {
  if (Math.hypot(event.clientX - touched[0], event.clientY - touched[1]) > STILL) clearTimeout(resting);
});
["pointerup", "pointercancel"].forEach((what) => document.addEventListener(what, () => clearTimeout(resting)));
document.addEventListener("contextmenu", (event) => {
  const number = dieOf(event.target);
  if (!number) return;
  event.preventDefault();
  clearTimeout(resting);
  if (!rested && amended !== number) amendDie(number);
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest?.(selector);
  if (rested && on("button.die, .outline")) { event.preventDefault(); rested = false; return; }
  if (on(".outline")) { byId(`die-${on(".outline").dataset.die}`)?.click(); return; }
  if (on("[aria-controls^=fix-of-]")) amendDie(Number(on("[aria-controls^=fix-of-]").value));
  else if (on(".amends")) { event.preventDefault(); closePops(); amendDie(Number(on(".amends").dataset.die)); }
  else if (on(".close-fix")) amendDie(0);
  else if (event.target.closest?.("#why")) sayWhy();
  else if (on("[data-opens]")) open(on("[data-opens]").dataset.opens);
  else if (on("[data-closes]")) event.target.closest("dialog").close();
});

// --- what folds out over the page closes when somebody goes on elsewhere

function closePops(but) {
  if (but?.closest?.("dialog")) return; // it asks about what stands there
  document.querySelectorAll("details.pop[open]").forEach((one) => { if (!one.contains(but ?? null)) one.open = false; });
}

document.addEventListener("focusin", (event) => closePops(event.target));

// --- points: they fly to the seat, and the figure counts up

const COUNTS = 700; // ms

let stood = new Map(); // each name's points, as the page showed them last

/** Where everybody's points stand: in the game's board, else in the strip of seats. */
const totals = () => [...document.querySelectorAll("#sheet [data-score]")].filter((one) => one.offsetParent !== null);

const scores = () => new Map(totals().map((one) => [one.dataset.name, Number(one.dataset.score)]));

const written = (points) => points.toLocaleString(document.documentElement.lang, { useGrouping: Math.abs(points) >= 10000 }).replace("-", "\u2212");

function showPoints() {
  const [before, from] = [stood, tapped.box];
  stood = scores();
  tapped.box = null;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  totals().forEach((total) => {
    const points = Number(total.dataset.score);
    const had = before.get(total.dataset.name);
    if (had === undefined || points <= had) return;
    const to = total.getBoundingClientRect();
    const start = from ?? { left: to.left, top: to.bottom + 40, width: to.width, height: 0 };
    total.classList.add("risen");
    const began = performance.now();
    const count = (now) => {
      const part = Math.min((now - began) / COUNTS, 1);
      total.textContent = written(Math.round(had + (points - had) * part));
      if (part < 1 && total.isConnected) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    const flies = document.createElement("span");
    flies.className = "points-fly";
    flies.ariaHidden = "true";
    flies.textContent = `+${points - had}`;
    document.body.append(flies);
    const at = (box, size) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%) scale(${size})`;
    const way = [{ transform: at(start, 1), opacity: 1 }, { transform: at(to, 1.2), opacity: 1, offset: 0.8 }, { transform: at(to, 0.6), opacity: 0 }];
    flies.animate(way, { duration: COUNTS, easing: "cubic-bezier(0.3, 0.7, 0.3, 1)" }).finished.finally(() => flies.remove());
  });
}

// --- Outback: which animal is laid

/** Each hex says what laying the chosen animal there brings; those where it cannot go are passed over. */
function layChosen() {
  const chosen = document.querySelector("input[name=laying]:checked");
  if (!chosen) return;
  document.querySelectorAll("button.hex[data-lays]").forEach((hex) => {
    const lay = JSON.parse(hex.dataset.lays)[chosen.value];
    hex.disabled = !lay;
    hex.classList.toggle("elsewhere", !lay);
    if (!lay) return;
    hex.value = lay.move;
    hex.setAttribute("aria-label", lay.label);
    hex.querySelector(".brings").textContent = lay.brings;
    const ghost = hex.querySelector(".ghost");
    if (ghost && lay.picture) ghost.src = lay.picture;
  });
}

document.addEventListener("change", (event) => {
  if (event.target.name === "laying") { words.laying = event.target.value; layChosen(); }
});

function settled() {
  const again = document.querySelector(`input[name=laying][value="${words.laying ?? ""}"]`);
  if (again) again.checked = true;
  layChosen();
  if (!byId(`fix-of-${amended}`) || amendedAt !== words.log) amended = 0;
  showFix();
  holds.forEach((hold, die) => { if (hold.done || hold.log !== words.log) holds.delete(die); });
  showHolds();
}

// --- dialogs

let opener = null;

function open(id) {
  const dialog = byId(id);
  if (!dialog || dialog.open) return;
  opener = document.activeElement?.id;
  dialog.showModal();
}

document.querySelectorAll("dialog").forEach((dialog) => {
  dialog.addEventListener("close", () => {
    if (dialog.id === "secret") byId("own-hand").innerHTML = ""; // nobody else shall find it there
    if (document.activeElement !== document.body) return; // the browser put it back, or a key was quicker than this event
    (byId(opener) ?? byId("play")).focus({ preventScroll: true });
  });
});

// --- keys

const press = (id) => { const one = byId(id); one?.click(); return Boolean(one); };

/** Where somebody stands: whoever uses this device first. */
function stands() {
  const lines = [...document.querySelectorAll("#stands li")];
  const own = byId("who")?.value;
  lines.sort((a, b) => Number(b.dataset.player === own) - Number(a.dataset.player === own));
  return lines.map(bare).join(" ");
}

const bare = (one) => one.textContent.replace(/\s+/g, " ").trim();

/** Why nothing can be done here at all; the page only watches, or the match is paused. */
const off = () => byId("play").dataset.off;

const can = () => [...document.querySelectorAll("#can p")].map(bare).filter(Boolean).join(" ");

const groups = () => [...document.querySelectorAll(byId("secret")?.open ? "#secret [data-group]" : "main [data-group]")].filter((one) => members(one).length);

function members(group) {
  const all = [...group.querySelectorAll("button, input, select")];
  return all.filter((one) => !one.disabled && one.type !== "hidden" && one.offsetParent !== null
    && (one.type !== "radio" || one.checked || !group.querySelector(`input[name="${one.name}"]:checked`)));
}

/** To the decisions: to the first group of them, and pressed again to the next. */
function decide(step) {
  const all = groups();
  if (!all.length) { say(off() ?? can()); return; }
  const here = all.indexOf(document.activeElement?.closest?.("[data-group]"));
  const next = here < 0 ? (step > 0 ? 0 : all.length - 1) : (here + step + all.length) % all.length;
  const there = members(all[next]);
  (there.find((one) => one.type !== "text") ?? there[0]).focus(); // in a text field the next key would be a letter
}

/** The next choice in the direction of an arrow: along the order, or to the nearest one above or below. */
function along(key) {
  const from = document.activeElement;
  const group = from?.closest?.("[data-group]");
  if (!group || from.matches("input, select, textarea")) return false;
  const all = members(group).filter((one) => one.tagName === "BUTTON");
  const at = all.indexOf(from);
  if (key === "Home") all[0].focus();
  else if (key === "End") all[all.length - 1].focus();
  else if (key === "ArrowRight") all[(at + 1) % all.length].focus();
  else if (key === "ArrowLeft") all[(at - 1 + all.length) % all.length].focus();
  else {
    const here = from.getBoundingClientRect();
    const middle = here.left + here.width / 2;
    const way = key === "ArrowDown" ? 1 : -1;
    const beyond = all.map((one) => [one, one.getBoundingClientRect()])
      .filter(([, box]) => (box.top - here.top) * way > here.height * 0.4)
      .sort(([, a], [, b]) => Math.abs(a.top - here.top) - Math.abs(b.top - here.top)
        || Math.abs(a.left + a.width / 2 - middle) - Math.abs(b.left + b.width / 2 - middle));
    beyond[0]?.[0].focus();
  }
  return true;
}

/** To the open box that gives most points now, which need not be the best move. */
function highest() {
  const boxes = [...document.querySelectorAll("button.box")];
  const one = boxes.sort((a, b) => Number(b.dataset.offer) - Number(a.dataset.offer))[0];
  if (one) one.focus();
  else decide(1);
}

/** To the field where a roll is typed. */
function typing() {
  if (!byId("faces")) { say(off() ?? can()); return; }
  byId("faces").closest("details")?.setAttribute("open", "");
  byId("faces").focus();
}

const SOON = 5000; // ms in which a key that is asked for once more counts

const questioned = { key: "", at: 0 };

/** Whether a key that throws or undoes is meant: who uses this device and is not on turn is asked for it twice. */
function meant(key, ask) {
  const turn = byId("play").dataset.turn;
  const user = byId("who").value || words.player;
  if (off() || !user || !turn || user === turn) return true;
  const again = questioned.key === key && Date.now() - questioned.at < SOON;
  Object.assign(questioned, again ? { key: "" } : { key, at: Date.now() });
  if (!again) say(byId("play").dataset[ask]);
  return again;
}

const KEYS = {
  t: () => meant("t", "askThrow") && (press("throw") || press("deal") || say(off() ?? can())),
  u: () => meant("u", "askUndo") && (press("undo") || say(off() ?? words.nothingBack)),
  r: repeat,
  s: () => say(stands()),
  w: () => say(can()),
  b: highest,
  d: (event) => decide(event.shiftKey ? -1 : 1),
  e: typing,
  h: () => ask("advice"),
  y: () => sayWhy(),
  l: () => ask("last-turn"),
  v: () => switchSpeech(),
  m: () => press("sound"),
  "?": () => open("help"),
};

document.addEventListener("keydown", (event) => {
  // Enter that is still down from the field is no press of the button that focus went to.
  if (event.repeat && event.key === "Enter" && event.target.matches("button")) event.preventDefault();
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const dialog = document.querySelector("dialog[open]");
  if (dialog && !(dialog.id === "secret" && /^(?:d|arrow.*|home|end)$/i.test(event.key))) return; // a hand is chosen from
  if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
    if (along(event.key)) event.preventDefault();
    return;
  }
  if (event.key === "Escape" && amended) { amendDie(0); return; }
  if (event.key === "Escape" && event.target.matches("main input, main select")) { byId("play").focus(); return; }
  const pop = event.key === "Escape" && document.querySelector("details.pop[open]");
  if (pop) { pop.open = false; pop.querySelector("summary").focus(); return; }
  if (event.repeat || !byId("keys").checked) return;
  if (event.target.matches("input[type=text], select, textarea")) return;
  if (event.target.type === "number" && !"dwsr?".includes(event.key.toLowerCase())) return; // the rest is for the number
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
  if (digit) {
    if (!(event.shiftKey && press(`pencil-${digit}`)) && !press(`die-${digit}`)) say(off());
  } else {
    const act = KEYS[event.key.toLowerCase()];
    if (!act) return;
    act(event);
  }
  event.preventDefault();
});

// Where focus goes by keyboard is heard aloud, too; a screen reader says it by itself.
document.addEventListener("focusin", (event) => {
  if (!speaks() || !event.target.matches(":focus-visible")) return;
  const one = event.target;
  const label = one.getAttribute("aria-label") ?? (one.labels?.[0] ?? one).innerText;
  if (label) instead(label.replace(/\s+/g, " ").trim());
});

// --- the expert

let reason = "";

function sayWhy() {
  say(reason || words.askFirst);
}

let asked = 0;
let news = 0;

/**
 * Ask the expert, and say the answer on this page alone; the reason waits until it is asked for. What was asked before
 * is not answered any more, and when the table has gone on meanwhile, the question is put anew.
 */
async function ask(about) {
  refuse("");
  asked += 1;
  const mine = asked;
  try {
    for (;;) {
      const then = news;
      const answer = await fetch(about, { headers: { Accept: "application/json" } });
      const text = await answer.text();
      if (mine !== asked) return;
      if (then !== news) continue;
      if (!answer.ok) { refuse(text); return; }
      const told = JSON.parse(text);
      reason = told.why ?? reason;
      if (reason) byId("why")?.removeAttribute("hidden");
      say(told.sentence);
      return;
    }
  } catch {
    if (mine === asked) refuse(words.noAnswer);
  }
}

// --- what this device keeps

setUpKeys();
if (byId("who")) {
  // Who uses this device stands beside what is corrected here; the name is kept while the same people play.
  byId("who").value = localStorage.getItem("who") ?? "";
  if (byId("who").selectedIndex < 0) byId("who").value = "";
  byId("who").addEventListener("change", (event) => localStorage.setItem("who", event.target.value));
}

setUpSpeech();
settled();
stood = scores();
follow("table", {
  settle: settled,
  onNotice(notice) {
    reason = "";
    news += 1;
    offerPlayers(notice.players);
    showPoints();
    say(notice.sentence);
  },
  onLive() { if (byId("refusal").textContent === words.noAnswer) refuse(""); },
  onState(state) { if (byId("state")) byId("state").textContent = byId("state").dataset[state] ?? state; },
  onDevices(said) { byId("devices").textContent = said; },
});
if (byId("picture")) {
  const picture = byId("picture");
  const shaped = () => { if (picture.naturalHeight) root.style.setProperty("--ratio", (picture.naturalWidth / picture.naturalHeight).toFixed(4)); };
  picture.addEventListener("load", shaped);
  shaped();
  watch(picture, "picture");
}
