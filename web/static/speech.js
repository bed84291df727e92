// What is said: by the page's one live region, for screen readers; and aloud by the browser, where somebody wants it.

import { byId } from "./follow.js";

let last = "";

const kept = {
  get: (name, otherwise) => localStorage.getItem(name) ?? otherwise,
  set: (name, value) => localStorage.setItem(name, value),
};
const language = document.documentElement.lang;
const voiceKey = `voice-${language}`;

/**
 * Write a sentence into a live region. The same one twice is said twice: an invisible space makes it news. The end that
 * the page shows as its prompt anyway is heard and not seen.
 */
export function write(region, sentence) {
  const prompt = byId("prompt")?.textContent.trim();
  const seen = prompt && sentence.endsWith(prompt) ? sentence.slice(0, -prompt.length) : sentence;
  const heard = Object.assign(document.createElement("span"), { className: "hidden", textContent: sentence.slice(seen.length) });
  const again = region.textContent === sentence ? "\u00a0" : "";
  region.replaceChildren(seen, ...(heard.textContent ? [heard] : []), ...(again ? [again] : []));
  region.parentElement.classList.toggle("echo", !seen.trim());
}

/** Say a sentence. */
export function say(sentence) {
  if (!sentence) return;
  last = sentence;
  byId("last-said")?.remove(); // what was said before the page was opened
  write(byId("announcer"), sentence);
  aloud(sentence);
}

/** The last sentence once more. */
export function repeat() {
  say(last || byId("last-said")?.textContent || byId("announcer").dataset.none);
}

export function speaks() {
  return "speechSynthesis" in window && kept.get("speech", "off") === "on";
}

/** Speak, after what is being said; what waited and was not begun yet is old news, and dropped. */
export function aloud(sentence) {
  if (!speaks()) return;
  const synth = window.speechSynthesis;
  if (synth.pending) synth.cancel();
  const words = new SpeechSynthesisUtterance(sentence);
  words.lang = language;
  words.rate = Number(kept.get("rate", "1"));
  const voice = voices().find((one) => one.voiceURI === kept.get(voiceKey, ""));
  if (voice) words.voice = voice;
  synth.speak(words);
}

/** Instead of what is being said: where focus went. */
export function instead(words) {
  if (!speaks()) return;
  window.speechSynthesis.cancel();
  aloud(words);
}

function voices() {
  return window.speechSynthesis.getVoices().filter((one) => one.lang.toLowerCase().startsWith(language));
}

function listVoices() {
  const list = byId("voice");
  if (!list) return;
  const chosen = kept.get(voiceKey, "");
  while (list.options.length > 1) list.remove(1);
  voices().forEach((one) => list.add(new Option(one.name, one.voiceURI, false, one.voiceURI === chosen)));
}

/** Switch the voice on or off, and say so. */
export function switchSpeech(on = !speaks()) {
  const box = byId("speech");
  kept.set("speech", on ? "on" : "off");
  box.checked = on;
  if (!on) window.speechSynthesis?.cancel();
  say(on ? box.dataset.on : box.dataset.off);
}

/** Whether this page has keys: a box that this device remembers. */
export function setUpKeys() {
  const box = byId("keys");
  if (!box) return;
  box.checked = kept.get("keys", "on") !== "off";
  box.addEventListener("change", () => kept.set("keys", box.checked ? "on" : "off"));
}

/** Make the settings work: on or off, how fast, which voice of the page's language. */
export function setUpSpeech() {
  const box = byId("speech");
  if (!box) return;
  if (!("speechSynthesis" in window)) {
    byId("voices").hidden = true;
    return;
  }
  box.checked = speaks();
  box.addEventListener("change", () => switchSpeech(box.checked));
  byId("rate").value = kept.get("rate", "1");
  byId("rate").addEventListener("change", (event) => {
    kept.set("rate", event.target.value);
    repeat();
  });
  byId("voice").addEventListener("change", (event) => {
    kept.set(voiceKey, event.target.value);
    repeat();
  });
  listVoices();
  window.speechSynthesis.addEventListener?.("voiceschanged", listVoices);
}
