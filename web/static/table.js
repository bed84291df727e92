// The page: shows what the table says, and sends what people do. No framework, no build.
"use strict";

const STATES = {
  empty: "The table is empty",
  rolling: "Rolling",
  settling: "Coming to rest",
  settled: "Settled",
  takeout: "A hand at the dice",
  obstructed: "Something is in the way",
};

const byId = (id) => document.getElementById(id);
const announcer = byId("announcer");
let lastSentence = "";

/** Say a sentence. The same one twice is said twice: an invisible space makes it news to a screen reader. */
function say(sentence) {
  if (!sentence) return;
  lastSentence = sentence;
  announcer.textContent = announcer.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

/** Put new HTML where an element is, keeping focus, open details and what is being typed. */
function replace(id, html) {
  const old = byId(id);
  if (!old) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  const open = [...old.querySelectorAll("details[open]")].map((one) => one.id);
  const typed = [...old.querySelectorAll("input[id]")].map((one) => [one.id, one.value]);
  old.outerHTML = html;
  open.forEach((one) => byId(one)?.setAttribute("open", ""));
  typed.forEach(([one, value]) => { if (byId(one)) byId(one).value = value; });
  if (!focused) return;
  // What had focus may be gone (a box that is filled now): then go where play goes on.
  const next = byId(focused) ?? byId("throw") ?? document.querySelector(".choice, .answer") ?? byId("play");
  next?.focus({ preventScroll: Boolean(byId(focused)) });
}

function refuse(words) {
  byId("refusal").textContent = words.trim();
}

/** Another match may be on the table: the page's title, and who may use this device. */
function entitle(title, players) {
  const head = document.querySelector(".top h1");
  if (head && head.textContent !== title) {
    document.title = document.title.replace(head.textContent, title);
    head.textContent = title;
  }
  const who = byId("who");
  if (!who || [...who.options].slice(1).map((one) => one.value).join("\n") === players.join("\n")) return;
  const chosen = who.value;
  while (who.options.length > 1) who.remove(1);
  players.forEach((name) => who.add(new Option(name)));
  who.value = players.includes(chosen) ? chosen : "";
}

/** Send a form without leaving the page. */
async function send(action, fields) {
  refuse("");
  const sent = new URLSearchParams(fields);
  const who = byId("who")?.value;
  if (who) sent.append("by", who);
  try {
    const answer = await fetch(action, {
      method: "POST",
      headers: { "X-Requested-With": "tableside" },
      body: sent,
    });
    if (!answer.ok) refuse(await answer.text());
    return answer.ok;
  } catch {
    refuse("The table did not answer. Is it still running?");
    return false;
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if ("own" in form.dataset) return; // it opens a page of its own
  event.preventDefault();
  if (form.classList.contains("ask")) { ask("advice"); return; }
  const sent = await send(form.getAttribute("action"), new FormData(form, event.submitter));
  if (sent && form.classList.contains("typed") && byId("faces")) byId("faces").value = "";
});

document.addEventListener("click", (event) => {
  const outline = event.target.closest?.(".outline");
  if (outline) byId(`die-${outline.dataset.die}`)?.click();
  if (event.target.id === "why") sayWhy();
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
  if (!byId("keys").checked || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const key = event.key.toLowerCase();
  const press = (id) => { byId(id)?.click(); };
  if (key >= "1" && key <= "9") press(`die-${key}`);
  else if (key === "t") press("throw");
  else if (key === "u") press("undo");
  else if (key === "r") say(lastSentence);
  else if (key === "w") say(`${byId("question")?.innerText ?? ""} ${byId("prompt")?.innerText ?? ""}`.trim());
  else if (key === "b") best()?.focus();
  else if (key === "h") ask("advice");
  else if (key === "y") sayWhy();
  else if (key === "l") ask("last-turn");
  else return;
  event.preventDefault();
});

let reason = "";

function sayWhy() {
  say(reason || "Ask for the best move first.");
}

/** Ask the expert, and say the answer on this page alone; the reason waits until it is asked for. */
async function ask(about) {
  refuse("");
  try {
    const answer = await fetch(about);
    if (!answer.ok) { refuse(await answer.text()); return; }
    const told = await answer.json();
    reason = told.why ?? reason;
    if (reason) byId("why")?.removeAttribute("hidden");
    say(told.sentence);
  } catch {
    refuse("The table did not answer. Is it still running?");
  }
}

/** The open box that gives most. */
function best() {
  const boxes = [...document.querySelectorAll("button.box")];
  return boxes.sort((a, b) => Number(b.dataset.offer) - Number(a.dataset.offer))[0];
}

function linked(state, words) {
  byId("link").dataset.link = state;
  byId("link-words").textContent = words;
}

function listen() {
  const events = new EventSource(`events?after=${byId("table").dataset.number}`);
  events.addEventListener("open", () => linked("live", "Live"));
  events.addEventListener("notice", (event) => {
    const notice = JSON.parse(event.data);
    byId("table").dataset.number = notice.number;
    reason = "";
    entitle(notice.title, notice.players);
    replace("outlines", notice.outlines);
    replace("board", notice.board);
    say(notice.sentence);
  });
  events.addEventListener("state", (event) => {
    byId("table").dataset.table = event.data;
    if (byId("state")) byId("state").textContent = STATES[event.data] ?? event.data;
  });
  events.addEventListener("devices", (event) => { byId("devices").textContent = event.data; });
  events.addEventListener("error", () => {
    linked("lost", "Connection lost, trying again");
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
}

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** Fetch picture after picture, each when the last is shown: a slow device gets fewer, never late ones. */
async function watch(image) {
  let number = -1;
  for (;;) {
    if (document.hidden) { await pause(300); continue; }
    try {
      const answer = await fetch(`picture?after=${number}`);
      if (answer.status === 200) {
        number = Number(answer.headers.get("X-Frame"));
        const url = URL.createObjectURL(await answer.blob());
        const old = image.src;
        image.src = url;
        await image.decode().catch(() => {});
        if (old.startsWith("blob:")) URL.revokeObjectURL(old);
      } else if (answer.status !== 204) await pause(1000);
    } catch {
      number = -1;
      await pause(1000);
    }
  }
}

byId("keys").checked = localStorage.getItem("keys") !== "off";
byId("keys").addEventListener("change", (event) => {
  localStorage.setItem("keys", event.target.checked ? "on" : "off");
});

if (byId("who")) {
  // Who uses this device stands beside what is corrected here; the name is kept while the same people play.
  byId("who").value = localStorage.getItem("who") ?? "";
  if (byId("who").selectedIndex < 0) byId("who").value = "";
  byId("who").addEventListener("change", (event) => localStorage.setItem("who", event.target.value));
}

listen();
if (byId("picture")) watch(byId("picture"));
