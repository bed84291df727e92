// Follows the table: notices come as server-sent events, and the parts of the page they bring are swapped in.
// Table, Television and Spectator share it. Every word stands in data- attributes of the page.

export const byId = (id) => document.getElementById(id);

const CHOICES = "[data-group] button:not([disabled]), [data-group] input:not([type=hidden])";

/** The first decision in a part of the page that can be seen. */
const firstChoice = (part) => [...part?.querySelectorAll(CHOICES) ?? []].find((one) => one.offsetParent !== null);

/** Put new HTML where an element is, keeping focus, open details and what is being typed; `settle` readies it. */
export function replace(id, html, settle = () => {}) {
  const old = byId(id);
  if (!old) return;
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const group = held?.closest("[data-group]")?.dataset.group;
  const open = [...old.querySelectorAll("details[open]")].map((one) => one.id);
  const typed = [...old.querySelectorAll("input[type=text][id]")].map((one) => [one.id, one.value]);
  old.outerHTML = html;
  open.forEach((one) => byId(one)?.setAttribute("open", ""));
  typed.forEach(([one, value]) => { if (byId(one)) byId(one).value = value; });
  settle();
  if (!held) return;
  // What had focus may be gone (a box that is filled now): then go where play goes on.
  const same = held.id && byId(held.id);
  const again = same && same.offsetParent !== null && !same.disabled ? same : null;
  const beside = group && document.querySelector(`[data-group="${group}"] button:not([disabled])`);
  const next = again || beside || byId("throw") || firstChoice(byId("play")) || byId("play");
  next?.focus({ preventScroll: Boolean(again) });
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
 * Listen for as long as the page is open. `view` is the kind of page, `settle` readies parts that were swapped in,
 * `onNotice` gets each notice after that.
 *
 * A browser comes back by itself when the server closed the line, with the number it heard last; where it gave up, or
 * where nobody closed anything and the line is dead all the same, this does. The page is whole again after one notice.
 */
export function follow(view, { settle, onNotice = () => {}, onState = () => {}, onDevices = () => {} }) {
  const root = byId("table");
  let events = null;
  let heard = 0; // when anything came last
  let beat = 10000; // ms between two signs of life
  let again = 0;

  const listen = () => {
    clearTimeout(again);
    events?.close();
    heard = Date.now();
    events = new EventSource(`events?view=${view}&after=${root.dataset.number}`);
    const on = (name, act) => events.addEventListener(name, (event) => { heard = Date.now(); act(event); });
    on("hello", (event) => {
      beat = 1000 * JSON.parse(event.data).beat;
      linked("live");
    });
    on("beat", () => linked("live"));
    on("notice", (event) => {
      const notice = JSON.parse(event.data);
      root.dataset.number = event.lastEventId;
      root.dataset.log = notice.log;
      Object.entries(notice.parts).forEach(([id, html]) => replace(id, html, settle));
      onNotice(notice);
    });
    on("state", (event) => {
      root.dataset.table = event.data;
      onState(event.data);
    });
    on("devices", (event) => onDevices(event.data));
    events.addEventListener("error", () => {
      linked("lost");
      if (events.readyState === EventSource.CLOSED) again = setTimeout(listen, 2000);
    });
  };

  const alive = () => {
    if (!document.hidden && Date.now() - heard > PATIENCE * beat) { linked("lost"); listen(); }
  };
  setInterval(alive, 2000);
  document.addEventListener("visibilitychange", alive);
  window.addEventListener("online", listen);
  window.addEventListener("offline", () => linked("lost"));
  // A page that the back button brings out of the browser's memory shows an evening that is long over.
  window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  window.addEventListener("pagehide", () => events?.close());
  listen();
}
