// Teaching dice: follows the lesson, asks for the name of what it saw, and sends what people say. Every word stands in
// the page.

import { dropZone } from "./dropping.js";
import { byId, listen, replace, whenFree } from "./follow.js";
import { post } from "./sending.js";
import { repeat, say, setUpKeys } from "./speech.js";
import { watch } from "./watching.js";

const root = byId("table");
const all = (selector, part = document) => [...part.querySelectorAll(selector)];
let leaving = false;

function refuse(said) {
  byId("refusal").textContent = said.trim();
}

/** What stands in a form's fields, files by name, size and time. */
function filled(form) {
  return [...form.elements].flatMap((one) => [...one.files ?? []].map((file) => `${file.name} ${file.size} ${file.lastModified}`)
    .concat(one.value)).join("\n");
}

const onTheWay = new Set();

/** Send a form without leaving the page; the same thing twice before the answer is a double tap. */
async function send(form, submitter) {
  const fields = new FormData(form, submitter);
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const before = filled(form);
  const what = `${root.dataset.version} ${action} ${submitter?.value} ${before}`;
  if (onTheWay.has(what)) return;
  onTheWay.add(what);
  leaving = "leads" in form.dataset; // the news that the lesson is over may come before the answer
  refuse("");
  const body = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
  try {
    const answer = await post(action, body);
    if (!answer.ok) { leaving = false; refuse(await answer.text()); return; }
    const to = answer.headers.get("Location");
    if (to) { location.assign(to); return; }
    // What is being filled in by now is the next one. News may have put another form in this one's place meanwhile.
    const kind = [".new-face", ".upload"].find((one) => form.matches(one));
    const now = form.isConnected || !kind ? form : document.querySelector(kind);
    if (kind && now && filled(now) === before) now.reset();
  } catch {
    leaving = false;
    refuse(root.dataset.noAnswer);
  } finally {
    onTheWay.delete(what);
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.classList.contains("quick")) { leaving = true; return; } // it leads to another page
  event.preventDefault();
  send(event.target, event.submitter);
});

// --- naming what was seen

const leftOut = (field) => byId(field.id.replace("die-", "leave-"));
const dice = () => all("#ask.mixed .seen-die input[type=text]");
const unnamed = () => dice().filter((one) => !one.value.trim() && !leftOut(one).checked);

/** Nothing is kept before every die has a name or is left out. */
function ready() {
  const keep = byId("keep");
  if (!keep) return;
  const each = dice();
  keep.disabled = each.length ? unnamed().length > 0 || !each.some((one) => one.value.trim()) : !byId("face").value.trim();
  if (byId("names")) byId("names").hidden = false;
}

/** The field that waits for a name. */
const waits = () => unnamed()[0] ?? byId("face") ?? byId("keep");

/** A die of several gets a name, or (null) is left out; then the next one is asked for. */
function name(field, called) {
  leftOut(field).checked = called === null;
  field.value = called ?? "";
  ready();
  const said = root.dataset.named.replace("{number}", field.id.slice(4)).replace("{name}", called ?? root.dataset.out);
  say(said);
  waits().focus();
}

let current = null; // the die whose name was asked for last

document.addEventListener("focusin", (event) => {
  if (event.target.matches("#ask.mixed input[type=text]")) current = event.target.id;
});

document.addEventListener("input", (event) => {
  if (!event.target.closest("#ask")) return;
  if (event.target.matches("#ask.mixed input[type=text]") && event.target.value) leftOut(event.target).checked = false;
  if (event.target.matches("[name=leave]:checked")) byId(`die-${event.target.value}`).value = "";
  ready();
});

document.addEventListener("click", (event) => {
  const chip = event.target.closest("#names [data-name], #names [data-leave]");
  if (!chip || !dice().length) return;
  const field = unnamed().find((one) => one.id === current) ?? unnamed()[0] ?? byId(current) ?? dice()[0];
  name(field, chip.dataset.name ?? null);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("#ask.mixed input[type=text]") || !unnamed().length) return;
  event.preventDefault();
  (unnamed().find((one) => one.compareDocumentPosition(event.target) & Node.DOCUMENT_POSITION_PRECEDING) ?? unnamed()[0]).focus();
});

// --- dragging a die onto its name: one of the names below the dice, or a face that has pictures

let drag = null;

const target = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("[data-name], [data-leave]");

function mark(onto) {
  all(".over").forEach((one) => one.classList.toggle("over", one === onto));
  onto?.classList.add("over");
}

function drop() {
  drag?.ghost?.remove();
  drag = null;
  mark(null);
}

document.addEventListener("pointerdown", (event) => {
  const shot = event.target.closest("#ask.mixed .shot");
  if (shot && event.button === 0) drag = { die: shot.dataset.die, from: shot, x: event.clientX, y: event.clientY };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
    drag.ghost = drag.from.querySelector("img").cloneNode();
    drag.ghost.alt = "";
    drag.ghost.className = "ghost";
    document.body.append(drag.ghost);
  }
  drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
  mark(target(event));
});

document.addEventListener("pointerup", (event) => {
  if (!drag?.ghost) { drag = null; return; }
  const [field, onto] = [byId(`die-${drag.die}`), target(event)];
  drop();
  if (field && onto) name(field, onto.dataset.name ?? null);
});
document.addEventListener("pointercancel", drop);

// --- keys

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
  if (!byId("keys")?.checked || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const key = event.key.toLowerCase();
  if (key === "k" && byId("keep")) (byId("keep").disabled ? waits().focus() : byId("keep").click());
  else if (key === "n") byId("discard")?.click();
  else if (key === "l") (byId("look") ?? byId("camera"))?.click();
  else if (key === "r") repeat();
  else if (key === "w") say(byId("taught-words")?.textContent.replace(/\s+/g, " ").trim() || byId("prompt")?.textContent.trim());
  else return;
  event.preventDefault();
});

// --- pictures from files

const upload = byId("upload");
if (upload) {
  byId("send-pictures").hidden = true;
  dropZone(upload);
}

// --- following the lesson

/** Ask for the name where somebody may type it at once: not in the middle of something else, and with a keyboard. */
function ask() {
  const elsewhere = document.activeElement?.matches("input[type=text], select, textarea") && !document.activeElement.closest("#ask");
  if (elsewhere || matchMedia("(pointer: coarse)").matches) return;
  waits()?.focus({ preventScroll: true });
}

function taught(told) {
  // The lesson began, or is over: that is another page.
  if (Boolean(told.html) !== Boolean(byId("lesson"))) { if (!leaving) location.reload(); return; }
  root.dataset.version = told.version;
  if (!told.html) return;
  const before = byId("ask");
  const counts = Object.fromEntries(all(".taught > li").map((one) => [one.dataset.face, one.dataset.count]));
  let fresh = false;
  // What was typed for other dice is not for these.
  if (before && !told.html.includes(`data-offer="${before.dataset.offer}"`)) before.dataset.sent = "";
  replace("lesson", told.html, () => {
    const now = byId("ask");
    fresh = now && now.dataset.offer !== before?.dataset.offer;
    if (now && before && !fresh) now.replaceWith(before); // what is being typed there stays
    ready();
  });
  all(".taught > li").forEach((one) => one.classList.toggle("fresh", Number(one.dataset.count) > Number(counts[one.dataset.face] ?? 0)));
  if (told.sentence !== root.dataset.said) say(told.sentence);
  root.dataset.said = told.sentence;
  if (fresh) ask();
}

setUpKeys();
ready();
listen(() => `${root.dataset.to}?after=${root.dataset.version}`, { lesson: (event) => whenFree(() => taught(JSON.parse(event.data))) });
// A page that the back button brings out of the browser's memory shows a lesson that is long over.
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
if (byId("picture")) watch(byId("picture"), root.dataset.picture);
// The live region was there, empty, when the page came; now it says how things stand.
setTimeout(() => { if (!byId("announcer").textContent) say(root.dataset.said); }, 150);
