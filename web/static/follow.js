// Follows the table: notices come as server-sent events, and the parts of the page they bring are swapped in.
// Table, Television and Spectator share it. Every word stands in data- attributes of the page.

export const byId = (id) => document.getElementById(id);

const CHOICES = "[data-group] button:not([disabled]), [data-group] input:not([type=hidden])";

const usable = (one) => Boolean(one) && !one.disabled && one.offsetParent !== null;

/** The first decision in a part of the page that can be seen. */
const firstChoice = (part) => [...part?.querySelectorAll(CHOICES) ?? []].find(usable);

// --- news waits while somebody presses

const LONGEST = 1500; // ms that news waits at most: a finger may rest on the picture, a release may go unheard
const TAP = 80; // ms in which a browser makes a click of a finger that was lifted

let pressed = false;
let release = 0;
const waiting = [];

function hold() {
  pressed = true;
  clearTimeout(release);
  release = setTimeout(free, LONGEST);
}

function letGo(after) {
  if (!pressed) return;
  clearTimeout(release);
  release = setTimeout(free, after);
}

function free() {
  clearTimeout(release);
  pressed = false;
  waiting.splice(0).forEach((act) => act());
}

/**
 * Change the page now, or as soon as no button is being pressed: one that is replaced between finger down and finger up
 * would swallow the tap, or give it to whatever comes to lie there.
 */
export function whenFree(act) {
  if (pressed) waiting.push(act);
  else act();
}

const PRESSED_BY_SPACE = "button, summary, input[type=checkbox], input[type=radio]";
window.addEventListener("pointerdown", hold, true);
window.addEventListener("pointerup", () => letGo(TAP), true);
window.addEventListener("pointercancel", () => letGo(0), true);
window.addEventListener("click", () => letGo(0), true);
window.addEventListener("keydown", (event) => { if (event.key === " " && event.target.matches(PRESSED_BY_SPACE)) hold(); }, true);
window.addEventListener("keyup", (event) => { if (event.key === " ") letGo(0); }, true);

// --- parts of the page

/** What a field has when nobody has touched it. */
function untouched(field) {
  if (field.tagName !== "SELECT") return field.defaultValue;
  return ([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.value;
}

/** What people filled in and have not sent yet: [id, value] of each field. */
function filledIn(part) {
  return [...part.querySelectorAll("input[type=text][id], input[type=number][id], select[id], textarea[id]")]
    .filter((one) => one.value !== untouched(one) && !("sent" in (one.form?.dataset ?? {})))
    .map((one) => [one.id, one.value]);
}

/** Fill a field in again, if there still is one that can take it. */
function fillIn(id, value) {
  const field = byId(id);
  if (!field) return;
  if (field.tagName !== "SELECT" || [...field.options].some((one) => one.value === value)) field.value = value;
}

/**
 * Put new HTML where an element is, keeping focus, open details, what is being filled in and how far a wide table was
 * scrolled; `settle` readies it.
 */
export function replace(id, html, settle = () => {}) {
  const old = byId(id);
  if (!old) return;
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const group = held?.closest("[data-group]")?.dataset.group;
  const caret = held?.matches("input[type=text], textarea") ? [held.selectionStart, held.selectionEnd] : null;
  const open = [...old.querySelectorAll("details[open]")].map((one) => one.id);
  const scrolled = [...old.querySelectorAll(".wide")].map((one) => one.scrollLeft);
  const filled = filledIn(old);
  old.outerHTML = html;
  open.forEach((one) => byId(one)?.setAttribute("open", ""));
  filled.forEach(([one, value]) => fillIn(one, value));
  byId(id)?.querySelectorAll(".wide").forEach((one, i) => { if (scrolled[i]) one.scrollLeft = scrolled[i]; });
  settle();
  if (!held) return;
  // What had focus may be gone (a box that is filled now): then go where play goes on.
  const same = held.id && byId(held.id);
  const again = usable(same) ? same : null;
  const beside = group && [...document.querySelectorAll(`[data-group="${group}"] button`)].find(usable);
  const next = again || beside || [byId("throw")].find(usable) || firstChoice(byId("play")) || byId("play");
  next?.focus({ preventScroll: Boolean(again) });
  if (again && caret) again.setSelectionRange(...caret);
}

/** How the page stands with the server: "live", "lost"; the words are the link's own. */
export function linked(state) {
  const link = byId("link");
  if (!link || link.dataset.link === state) return;
  link.dataset.link = state;
  byId("link-words").textContent = link.dataset[state] ?? "";
}

const PATIENCE = 2.5; // beats that may be missing until the line counts as dead

/**
 * Listen for as long as the page is open: `address` says where from now on, `news` what to do with each kind of event.
 *
 * A browser comes back by itself when the server closed the line, with the number it heard last; where it gave up, or
 * where nobody closed anything and the line is dead all the same, this does. The page is whole again after one event.
 */
export function listen(address, news, onLive = () => {}) {
  let events = null;
  let heard = 0; // when anything came last
  let beat = 10000; // ms between two signs of life
  let again = 0;

  const begin = () => {
    clearTimeout(again);
    events?.close();
    heard = Date.now();
    events = new EventSource(address());
    const on = (name, act) => events.addEventListener(name, (event) => { heard = Date.now(); act(event); });
    on("hello", (event) => {
      beat = 1000 * JSON.parse(event.data).beat;
      linked("live");
      onLive();
    });
    on("beat", () => linked("live"));
    Object.entries(news).forEach(([name, act]) => on(name, act));
    events.addEventListener("error", () => {
      linked("lost");
      if (events.readyState === EventSource.CLOSED) again = setTimeout(begin, 2000);
    });
  };

  const alive = () => {
    if (!document.hidden && Date.now() - heard > PATIENCE * beat) { linked("lost"); begin(); }
  };
  setInterval(alive, 2000);
  document.addEventListener("visibilitychange", alive);
  window.addEventListener("online", begin);
  window.addEventListener("offline", () => linked("lost"));
  // A page that the back button brings out of the browser's memory shows an evening that is long over.
  window.addEventListener("pageshow", (event) => { if (event.persisted) begin(); });
  window.addEventListener("pagehide", () => events?.close());
  begin();
}

const SAME_DICE = 2000; // ms of still dice without news, after which they are those that lay there before

/**
 * Follow the table. `view` is the kind of page, `settle` readies parts that were swapped in, `onNotice` gets each notice
 * after that.
 */
export function follow(view, { settle, onLive, onNotice = () => {}, onState = () => {}, onDevices = () => {} }) {
  const root = byId("table");
  let unread = 0;
  // Dice that moved are outlined once they have been read again.
  const moved = (table) => {
    clearTimeout(unread);
    if (table === "rolling" || table === "empty") root.dataset.unread = "";
    else if (table === "settled") unread = setTimeout(() => { delete root.dataset.unread; }, SAME_DICE);
  };
  const language = new URLSearchParams(location.search).get("language");
  const asked = language ? `&language=${encodeURIComponent(language)}` : ""; // as the page itself was asked for
  listen(() => `/events?view=${view}&after=${root.dataset.number}${asked}`, {
    notice: (event) => whenFree(() => {
      const notice = JSON.parse(event.data);
      const before = root.dataset.log;
      root.dataset.number = event.lastEventId;
      root.dataset.log = notice.log;
      // A question may be put anew while the log stands still; everything else that happens is in it.
      root.dataset.happened = notice.happened === "question" || notice.log !== before ? notice.happened : "";
      const title = byId("title")?.textContent;
      Object.entries(notice.parts).forEach(([id, html]) => replace(id, html, settle));
      if (title) document.title = document.title.replace(title, notice.title); // another match may be on the table
      if (!["rolling", "empty"].includes(root.dataset.table)) delete root.dataset.unread;
      onNotice(notice);
      const detail = { happened: root.dataset.happened, good: notice.good };
      if (detail.happened) document.dispatchEvent(new CustomEvent("happened", { detail })); // sounds, and a spectacle
    }),
    state(event) {
      root.dataset.table = event.data;
      moved(event.data);
      onState(event.data);
    },
    devices: (event) => onDevices(event.data),
  }, onLive);
}
