// Replay: steps without a new page, by slider, arrows or by itself; the seconds before a roll play as a film.

import { pause, post } from "./sending.js";

const byId = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const player = byId("player");
const LAST = Number(player.dataset.last);
const FIRST = Number(player.dataset.first);
const STAYS = 1400; // ms that an event is shown in a replay that goes by itself
const ROLL_STAYS = 900; // the same after the film of a roll

const now = () => Number(byId("moment").dataset.event);

let playing = false;
let wanted = 0; // the newest step that was asked for: an older answer comes too late
const pages = new Map();

/** The page of an event, asked for once; the next one is here before it is wanted. */
function pageOf(event) {
  if (!pages.has(event)) {
    const asked = fetch(String(event)).then(async (answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    });
    asked.catch(() => pages.delete(event));
    pages.set(event, asked);
    if (pages.size > 30) pages.delete(pages.keys().next().value);
  }
  return pages.get(event);
}

/** A picture that is here before it is shown: nothing flickers. */
async function ready(part) {
  const shot = part.querySelector("#shot img, .dice image");
  if (!shot) return;
  const picture = new Image();
  picture.src = shot.getAttribute("src") ?? shot.getAttribute("href");
  await Promise.race([picture.decode().catch(() => {}), pause(1500)]);
}

async function show(event, { film = false } = {}) {
  const mine = ++wanted;
  byId("refusal").textContent = "";
  const to = Math.min(Math.max(event, 0), LAST);
  stopFilm();
  let page;
  try {
    page = await pageOf(to);
  } catch {
    location.assign(String(to)); // the server says what is wrong
    return;
  }
  const part = document.importNode(page.getElementById("moment"), true);
  await ready(part);
  if (mine !== wanted) return;
  const focused = document.activeElement;
  const [within, stepping] = [byId("moment"), byId("nearby")].map((one) => one.contains(focused));
  byId("moment").replaceWith(part);
  byId("nearby").replaceWith(document.importNode(page.getElementById("nearby"), true));
  if (within) part.focus({ preventScroll: true });
  if (stepping) byId(`step-${to}`)?.focus({ preventScroll: true });
  history.replaceState(null, "", String(to));
  document.title = page.title;
  byId("place").value = page.getElementById("place").value;
  byId("scrub").value = String(to);
  for (const [id, at] of [["back", to - 1], ["forward", to + 1]]) {
    const out = at < 0 || at > LAST;
    byId(id).href = String(out ? to : at);
    byId(id).toggleAttribute("aria-disabled", out);
    if (out) byId(id).setAttribute("aria-disabled", "true");
  }
  byId("announcer").textContent = byId("happened").textContent;
  ends();
  if (to < LAST) pageOf(to + 1).catch(() => {});
  if (film && !still.matches) await playFilm();
}

/** Whatever belongs to the part that was swapped. */
function ends() {
  byId("film-play")?.removeAttribute("hidden");
  const strip = document.querySelector(".nearby ol");
  const step = strip?.querySelector("[aria-current]");
  if (step) strip.scrollLeft = step.offsetLeft - (strip.clientWidth - step.offsetWidth) / 2;
}

// --- the film

let filming = 0;

function stopFilm() {
  filming++;
  byId("film-play")?.classList.remove("playing");
  byId("shot")?.querySelector(".frame")?.remove();
  document.querySelector(".frames [aria-current]")?.removeAttribute("aria-current");
}

function frame(link) {
  const shot = byId("shot");
  let image = shot.querySelector(".frame");
  if (!image) {
    image = new Image();
    image.className = "frame";
    image.alt = "";
    shot.append(image);
  }
  image.src = link.href;
  document.querySelector(".frames [aria-current]")?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
}

/** As fast as it was; at the end the picture that was read. */
async function playFilm() {
  const links = [...document.querySelectorAll(".frames a")];
  if (!links.length) return;
  stopFilm();
  const mine = filming;
  byId("film-play").classList.add("playing");
  await Promise.race([Promise.all(links.map((one) => one.firstElementChild.decode().catch(() => {}))), pause(1500)]);
  for (const [i, link] of links.entries()) {
    if (mine !== filming) return;
    frame(link);
    const next = links[i + 1] ? Number(links[i + 1].dataset.ago) : 0;
    await pause(Math.min(Number(link.dataset.ago) - next, 400));
  }
  if (mine === filming) stopFilm();
}

// --- by itself

async function play() {
  if (playing) return halt();
  playing = true;
  byId("run").classList.add("playing");
  if (now() >= LAST) await show(FIRST, { film: true });
  while (playing && now() < LAST) {
    const from = now();
    await pause(document.querySelector(".frames") ? ROLL_STAYS : STAYS);
    if (playing && now() === from) await show(from + 1, { film: true });
  }
  halt();
}

function halt() {
  playing = false;
  byId("run").classList.remove("playing");
}

function go(event, how) {
  halt();
  return show(event, how);
}

const KEYS = {
  ArrowLeft: () => go(now() - 1),
  ArrowRight: () => go(now() + 1, { film: true }),
  Home: () => go(FIRST),
  End: () => go(LAST),
  p: play,
  f: () => (byId("film-play")?.classList.contains("playing") ? stopFilm() : playFilm()),
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // A field, and a table that scrolls sideways, keep their keys.
  if (event.target.matches("input, select, textarea, [role=region]") || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("#player a, #moment .fate-line a, .frames a, a.outline");
  if (event.target.closest("#run")) play();
  else if (event.target.closest("#film-play")) KEYS.f();
  else if (!link) return;
  else if (link.matches(".frames a")) {
    stopFilm();
    frame(link);
  } else if (link.matches(".outline")) {
    const die = byId(link.getAttribute("href").slice(1));
    die.open = true;
    die.querySelector("summary").focus();
  } else go(Number(link.getAttribute("href").replace("./", "")), { film: link.id === "forward" });
  if (link) event.preventDefault();
});

byId("scrub").addEventListener("input", (event) => go(Number(event.target.value)));

document.addEventListener("submit", async (event) => {
  if (!event.target.matches(".correct")) return;
  event.preventDefault();
  const sent = new FormData(event.target, event.submitter);
  const answer = await post(event.target.action, sent);
  if (answer.ok) location.reload(); // it is a new event: the match is longer now
  else byId("refusal").textContent = await answer.text();
});

byId("run").hidden = false;
document.querySelector(".scrub").hidden = false;
ends();
if (now() < LAST) pageOf(now() + 1).catch(() => {});
if (!still.matches) playFilm();
