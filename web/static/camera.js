// Camera: the whole live picture with the dice outlined, and four corners to take hold of.

import { byId, follow, replace, whenFree } from "./follow.js";
import { chosenNow } from "./camera_choice.js";
import { say } from "./speech.js";
import { watch } from "./watching.js";

const figure = byId("frame");
const form = byId("region-form");

// --- the region: the fields are what counts, handles and shade show them

const handles = [...document.querySelectorAll(".handle")];
const field = (axis, corner) => byId(`${axis}${corner}`);
const corners = () => handles.map((_, i) => ["x", "y"].map((axis) => Number(field(axis, i + 1).value) || 0));

const begun = !form || form.dataset.again ? "" : JSON.stringify(corners());

function draw() {
  const { width, height } = figure.dataset;
  corners().forEach(([x, y], i) => {
    handles[i].style.left = `${x}%`;
    handles[i].style.top = `${y}%`;
  });
  byId("use").hidden = JSON.stringify(corners()) === begun;
  const edge = `M${corners().map(([x, y]) => `${(x * width) / 100} ${(y * height) / 100}`).join("L")}Z`;
  byId("beyond").setAttribute("d", `M0 0H${width}V${height}H0Z${edge}`);
  byId("edge").setAttribute("d", edge);
}

function put(corner, x, y) {
  const held = (value) => Math.min(100, Math.max(0, value)).toFixed(1);
  field("x", corner).value = held(x);
  field("y", corner).value = held(y);
  draw();
}

function said(corner) {
  const [x, y] = ["x", "y"].map((axis) => field(axis, corner).value);
  const name = byId(`corner-${corner}`).textContent;
  say(form.dataset.said.replace("{corner}", name).replace("{x}", x).replace("{y}", y));
}

for (const handle of handles) {
  const { corner } = handle.dataset;
  handle.hidden = false;
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = figure.getBoundingClientRect();
    put(corner, (100 * (event.clientX - box.left)) / box.width, (100 * (event.clientY - box.top)) / box.height);
  });
  handle.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const by = event.shiftKey ? 5 : 1;
    put(corner, Number(field("x", corner).value) + by * way[0], Number(field("y", corner).value) + by * way[1]);
    said(corner);
  });
}
if (form && handles.length) {
  byId("drag-words").hidden = false;
  // As large as the screen is high.
  figure.closest(".stage").style.setProperty("--ratio", figure.dataset.width / figure.dataset.height);
  form.addEventListener("input", draw);
  draw();
}

// --- how well it sees

let looking = null;
let waiting = null;

async function ask() {
  try {
    const answer = await fetch("/camera/advice");
    const advice = await answer.text();
    if (answer.ok) await new Promise((done) => { whenFree(() => { replace("advice", advice); done(); }); });
  } catch {
    // The link says that the table does not answer.
  }
  looking = null;
}

/** Have the picture judged. What is asked for while that happens may be of another picture, and is done once more. */
function look() {
  if (document.hidden) return Promise.resolve();
  if (!looking) looking = ask();
  else waiting ??= looking.then(() => { waiting = null; return look(); });
  return waiting ?? looking;
}

document.querySelector("[data-advice]")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await look();
  say([...document.querySelectorAll(".light > div")].map((one) => one.innerText.replace(/\s+/g, " ")).join(". "));
});

// --- the live picture

const state = byId("state");
follow("camera", {
  onNotice: () => chosenNow({ spoken: true }),
  onState: (now) => {
    if (state) state.textContent = state.dataset[now] ?? now;
    if (now === "settled" || now === "empty") look();
  },
  onDevices: (words) => { byId("devices").textContent = words || byId("devices").dataset.none; },
});
if (figure) {
  watch(byId("picture"), "/camera/picture");
  look();
  setInterval(look, 15000);
}
