// Teaching dice: follows the lesson, says what it says, and sends what people do. Every word stands in the page.

import { byId, listen, replace, whenFree } from "./follow.js";
import { post } from "./sending.js";
import { repeat, say, setUpKeys } from "./speech.js";
import { watch } from "./watching.js";

const root = byId("table");
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
  const before = filled(form);
  const what = `${root.dataset.version} ${form.getAttribute("action")} ${submitter?.value} ${before}`;
  if (onTheWay.has(what)) return;
  onTheWay.add(what);
  refuse("");
  const body = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
  try {
    const answer = await post(form.getAttribute("action"), body);
    if (!answer.ok) { refuse(await answer.text()); return; }
    // What is being filled in by now is the next one.
    if (form.matches(".new-face, .upload") && filled(form) === before) form.reset();
  } catch {
    refuse(root.dataset.noAnswer);
  } finally {
    onTheWay.delete(what);
  }
}

/** Nothing is kept before every die has a name or is left out. */
function keepable() {
  const named = [...document.querySelectorAll("form.keep select")].every((one) => !one.selectedOptions[0]?.disabled);
  for (const id of ["keep", "keep-more"]) if (byId(id)) byId(id).disabled = !named;
  if (byId("unnamed")) byId("unnamed").hidden = named;
  return named;
}

document.addEventListener("change", keepable);

document.addEventListener("submit", (event) => {
  if (!event.target.classList.contains("quick")) { leaving = true; return; } // it leads to another page
  event.preventDefault();
  send(event.target, event.submitter);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
  if (!byId("keys")?.checked || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const press = (id) => byId(id)?.click();
  const key = event.key.toLowerCase();
  if ((key === "k" || key === "a") && !keepable()) say(byId("unnamed").textContent);
  else if (key === "k") press("keep");
  else if (key === "a") press("keep-more");
  else if (key === "n") press("discard");
  else if (key === "l") press(byId("look") ? "look" : "camera");
  else if (key === "r") repeat();
  else if (key === "w") say(byId("missing")?.textContent.replace(/\s+/g, " ").trim());
  else return;
  event.preventDefault();
});

function taught(told) {
  const finished = told.made !== Boolean(byId("done"));
  // Another page belongs to it now: it was finished or thrown away, here or elsewhere.
  if (told.html === null || finished) { if (!leaving) location.reload(); return; }
  root.dataset.version = told.version;
  // What was chosen for other dice is not for these.
  document.querySelectorAll("form.keep").forEach((one) => { one.dataset.sent = ""; });
  replace("lesson", told.html, keepable);
  if (told.sentence !== root.dataset.said) say(told.sentence);
  root.dataset.said = told.sentence;
}

setUpKeys();
keepable();
listen(() => `${root.dataset.to}?after=${root.dataset.version}`, { lesson: (event) => whenFree(() => taught(JSON.parse(event.data))) });
// A page that the back button brings out of the browser's memory shows a lesson that is long over.
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
if (byId("picture")) watch(byId("picture"), root.dataset.picture);
// The live region was there, empty, when the page came; now it says how things stand.
setTimeout(() => { if (!byId("announcer").textContent) say(root.dataset.said); }, 150);
