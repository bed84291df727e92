// A phone as the camera: pictures go out one after the other, each when the last has arrived.

import { pause, post, scanned } from "./sending.js";

const RATE = 14; // pictures a second at most; the table looks no faster
const SLOW = 3; // fewer than this and the page says so
const PATIENCE = 8000; // ms until a picture that got no answer is given up
const WIDEST = 1920;
const NARROWEST = 960;

const page = document.getElementById("phone");
const words = page.dataset;
const start = document.getElementById("start");
const state = document.getElementById("state");
const view = document.getElementById("view");
const canvas = document.createElement("canvas");
const me = Math.random().toString(36).slice(2, 12);

let stream = null; // the camera, while it runs
let running = false;
let busy = false; // between a tap and the camera's first picture, or between a tap and its end
let awake = null; // the lock that keeps the screen on
const code = scanned();

function say(text) {
  if (state.textContent !== text) state.textContent = text;
}

/** Enter the code that was scanned with the address; a right one lets this phone send. */
async function enter() {
  if (words.may === "yes" || !code) return true;
  const answer = await post(words.enter, new URLSearchParams({ code }));
  if (answer.ok) words.may = "yes";
  else say(answer.status === 429 ? (await answer.text()).trim() : words.refused);
  return answer.ok;
}

/** Draw a picture no wider than it may be, and code it. */
function coded(source, width, height, widest) {
  const scale = Math.min(1, widest / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d", { alpha: false }).drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.85); });
}

/** Send a picture and wait for the answer: "" when the table took it, else why not, in words. */
async function send(picture, first) {
  const headers = { "Content-Type": "image/jpeg", "X-Phone": me };
  const answer = await post(`${words.to}${first ? "?first=1" : ""}`, picture, { headers, patience: PATIENCE });
  return { taken: answer.ok, another: answer.headers.get("X-Tableside") === "another", said: answer.ok ? "" : (await answer.text()).trim() };
}

/** Keep the screen on; browsers let go of it whenever the page was hidden. */
async function stayAwake() {
  try {
    awake = await navigator.wakeLock.request("screen");
  } catch {
    awake = null;
  }
}

document.addEventListener("visibilitychange", () => {
  if (running && !document.hidden) stayAwake();
});

async function camera() {
  if (!navigator.mediaDevices?.getUserMedia) throw new Error(words.insecure);
  const wish = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
  try {
    return await navigator.mediaDevices.getUserMedia({ video: wish });
  } catch (problem) {
    const said = { NotAllowedError: words.denied, NotFoundError: words.missing, OverconstrainedError: words.missing, NotReadableError: words.busy };
    throw new Error(said[problem.name] ?? `${problem.name}: ${problem.message}`);
  }
}

/** Open the camera; one that stops by itself (a call comes in, the page was hidden) is opened again. */
async function open() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = await camera();
  view.srcObject = stream;
  view.dataset.live = "";
  await view.play();
}

function live() {
  return stream?.getVideoTracks().some((track) => track.readyState === "live");
}

/** Start, or stop: a second tap while the camera is on its way up or down is one too many. */
async function run() {
  if (busy) return;
  busy = true;
  if (running) { running = false; return; } // the loop ends with the picture that is on its way
  try {
    if (!await enter()) { busy = false; return; }
    await open();
  } catch (problem) {
    busy = false;
    say(problem instanceof TypeError ? words.lost : problem.message);
    return;
  }
  running = true;
  busy = false;
  start.textContent = words.stop;
  await stayAwake();
  await loop();
  running = false;
  start.textContent = words.start;
  stream.getTracks().forEach((track) => track.stop());
  delete view.dataset.live;
  awake?.release().catch(() => {});
  busy = false;
}

/**
 * One picture in flight at a time, so none is late. How large they may be is found out with the first ones and kept:
 * dice that change their size in the middle of a match would seem to have been moved.
 */
async function loop() {
  let first = true;
  let took = 100;
  let widest = WIDEST;
  let lost = 0;
  let trials = 12;
  while (running) {
    const began = performance.now();
    try {
      if (!live()) { say(words.ended); await open(); }
      const answer = await send(await coded(view, view.videoWidth, view.videoHeight, widest), first);
      lost = 0;
      if (answer.another && !first) { say(answer.said); return; }
      if (answer.taken) first = false;
      took = 0.8 * took + 0.2 * (performance.now() - began);
      if (trials > 0 && answer.taken) {
        trials -= 1;
        if (took > 300 && widest > NARROWEST) { widest = Math.max(NARROWEST, widest * 0.75); took = 150; }
      }
      const sees = 1000 / took < SLOW ? words.slow : awake ? words.sees : words.sleeps;
      say(answer.taken ? sees : answer.said);
      if (!answer.taken) await pause(500);
    } catch (problem) {
      if (problem.name === "Error") { say(problem.message); await pause(2000); continue; }
      // The server is away or the network is: try again, ever less often, until it is back.
      say(words.lost);
      lost = Math.min(lost + 1, 5);
      await pause(300 * 2 ** lost);
    }
    await pause(Math.max(0, 1000 / RATE - (performance.now() - began)));
  }
  say(words.stopped);
}

start.addEventListener("click", run);
document.getElementById("single").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  try {
    if (!await enter()) return;
    const picture = await createImageBitmap(file);
    const jpeg = await coded(picture, picture.width, picture.height, WIDEST);
    // The table waits until dice lie still: a single picture is shown to it for a moment.
    for (let i = 0; i < 12; i += 1) {
      const answer = await send(jpeg, i === 0);
      say(answer.taken ? words.sees : answer.said);
      await pause(80);
    }
  } catch {
    say(words.lost);
  }
});
