// Short sounds for what happens at the table, each made of a few tones. Nobody needs them: the words say everything.

import { byId } from "./follow.js";
import { say } from "./speech.js";

const LOUD = 0.12; // of what the device can do: quieter than people talking
const SCALE = [523, 587, 659, 784, 880, 1047]; // any two of these go together
const SOUNDS = { // tones, each as when it begins (s), its pitch (Hz), how long it rings (s)
  throw: () => [[0, 190, 0.07], [0.07, 150, 0.06], [0.12, 120, 0.12]], // dice on wood
  question: () => [[0, 494, 0.2], [0.17, 659, 0.35]],
  points: (good) => (good ? [[0, SCALE[good - 1], 0.15], [0.1, SCALE[good], 0.45]] : [[0, 220, 0.3]]),
  rarest: () => [...SCALE, 1175, 1319].map((pitch, i) => [i * 0.07, pitch, 0.5]),
  win: () => [[0, 523, 0.3], [0.14, 659, 0.3], [0.28, 784, 0.3], [0.42, 1047, 1.1], [0.42, 659, 1.1]],
};

const button = byId("sound");
let context = null; // browsers give one only after somebody touched the page
let before = null; // the sound that was made last

const wanted = () => (localStorage.getItem("sound") ?? ("silent" in button.dataset ? "off" : "on")) === "on";
const on = () => context !== null && wanted();

function sound(kind, good) {
  if (!on() || !SOUNDS[kind]) return;
  before?.disconnect(); // of several things at once, the last is heard
  before = context.createGain();
  before.gain.value = LOUD;
  before.connect(context.destination);
  for (const [at, pitch, rings] of SOUNDS[kind](good)) {
    const [tone, fade, start] = [context.createOscillator(), context.createGain(), context.currentTime + at];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    fade.gain.setValueAtTime(0, start);
    fade.gain.linearRampToValueAtTime(1, start + 0.01);
    fade.gain.exponentialRampToValueAtTime(0.001, start + rings);
    tone.connect(fade).connect(before);
    tone.start(start);
    tone.stop(start + rings);
  }
}

function wake(event) {
  if (event.target.closest?.("#sound") || event.key?.toLowerCase() === "m") return; // it decides for itself
  if (wanted()) context ??= new AudioContext();
  button.ariaPressed = String(on());
}

button.addEventListener("click", () => {
  const now = !on();
  localStorage.setItem("sound", now ? "on" : "off");
  if (now) context ??= new AudioContext();
  button.ariaPressed = String(now);
  if (byId("announcer")) say(button.dataset[now ? "on" : "off"]);
  sound("points", 2);
});
window.addEventListener("click", wake, true);
window.addEventListener("keydown", wake, true);
document.addEventListener("happened", (event) => sound(event.detail.happened, event.detail.good));
