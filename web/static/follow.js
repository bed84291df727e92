// Follows the table: notices come as server-sent events, and the parts of the page they bring are swapped in.
// Table, Television and Spectator share it. Every word stands in data- attributes of the page.

export const byId = (id) => document.getElementById(id);

const FIRST_CHOICE = "[data-group] button:not([disabled]), [data-group] input:not([type=hidden])";

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
  const again = held.id && byId(held.id);
  const beside = group && document.querySelector(`[data-group="${group}"] button:not([disabled])`);
  const next = again || beside || byId("throw") || byId("play")?.querySelector(FIRST_CHOICE) || byId("play");
  next?.focus({ preventScroll: Boolean(again) });
}

/** How the page stands with the server: "live", "lost"; the words are the link's own. */
export function linked(state) {
  const link = byId("link");
  if (!link || link.dataset.link === state) return;
  link.dataset.link = state;
  byId("link-words").textContent = link.dataset[state] ?? "";
}

/**
 * Listen for as long as the page is open. `view` is the kind of page, `settle` readies parts that were swapped in,
 * `onNotice` gets each notice after that. A browser comes back by itself with the number it heard last; where it gave up, this does.
 */
export function follow(view, { settle, onNotice = () => {}, onState = () => {}, onDevices = () => {} }) {
  const root = byId("table");
  const listen = () => {
    const events = new EventSource(`events?view=${view}&after=${root.dataset.number}`);
    events.addEventListener("open", () => linked("live"));
    events.addEventListener("notice", (event) => {
      const notice = JSON.parse(event.data);
      root.dataset.number = notice.number;
      Object.entries(notice.parts).forEach(([id, html]) => replace(id, html, settle));
      onNotice(notice);
    });
    events.addEventListener("state", (event) => {
      root.dataset.table = event.data;
      onState(event.data);
    });
    events.addEventListener("devices", (event) => onDevices(event.data));
    events.addEventListener("error", () => {
      linked("lost");
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
    });
  };
  listen();
}
