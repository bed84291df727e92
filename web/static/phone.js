// A phone as the camera: pictures go out one after the other, each when the last has arrived.
"use strict";

const RATE = 12; // pictures a second at most
const WIDEST = 1920;
const start = document.getElementById("start");
const state = document.getElementById("state");
const view = document.getElementById("view");
const canvas = document.createElement("canvas");
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

function say(words) {
  if (state.textContent !== words) state.textContent = words;
}

/** Draw a picture no wider than the table needs, and code it. */
function coded(source, width, height) {
  const scale = Math.min(1, WIDEST / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.85); });
}

async function send(picture) {
  const answer = await fetch(start.dataset.to, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: picture });
  say(answer.ok ? "The table sees." : (await answer.text()).trim());
}

async function run() {
  if (!navigator.mediaDevices) {
    say("This browser gives its camera only to pages over https. Take single pictures below.");
    return;
  }
  try {
    const wish = { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } };
    view.srcObject = await navigator.mediaDevices.getUserMedia({ video: wish });
    await view.play();
  } catch {
    say("The camera was not allowed.");
    return;
  }
  start.disabled = true;
  navigator.wakeLock?.request("screen").catch(() => {});
  for (;;) {
    const began = performance.now();
    try {
      await send(await coded(view, view.videoWidth, view.videoHeight));
    } catch {
      say("The table does not answer. Trying again.");
      await pause(1000);
    }
    await pause(Math.max(0, 1000 / RATE - (performance.now() - began)));
  }
}

start.addEventListener("click", run);
document.getElementById("single").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  const picture = await createImageBitmap(file);
  const jpeg = await coded(picture, picture.width, picture.height);
  // The table waits until dice lie still: a single picture is shown to it for a moment.
  for (let i = 0; i < 12; i += 1) {
    await send(jpeg).catch(() => say("The table does not answer."));
    await pause(80);
  }
});
