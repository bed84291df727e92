// Television and Spectator: they follow, and there is nothing to operate but the sound.

import { byId, follow } from "./follow.js";
import { write } from "./speech.js";
import { watch } from "./watching.js";

const root = byId("table");
const picture = byId("picture");

/** Whether all of it is seen; what a letter's ink reaches beyond its line is not counted. */
function holds(one) {
  const ink = 1 + 0.04 * parseFloat(getComputedStyle(one).fontSize);
  return one.scrollHeight <= one.clientHeight + ink && one.scrollWidth <= one.clientWidth + 1;
}

const fits = (one) => holds(one) && [...one.querySelectorAll(".tv-die, td, th")].every(holds);

/** Nobody can scroll a television: what does not fit its place is written smaller, as large as it can be. */
function fit() {
  document.querySelectorAll("[data-fit]").forEach((one) => {
    const size = (part) => one.style.setProperty("--fit", part);
    size(1);
    let [low, high] = [fits(one) ? 1 : 0.15, 1];
    while (high - low > 0.02) {
      const middle = (low + high) / 2;
      size(middle);
      if (fits(one)) low = middle;
      else high = middle;
    }
    size(low);
  });
}

window.addEventListener("resize", fit);
document.fonts.ready.then(fit);
document.addEventListener("keydown", (event) => { if (event.key.toLowerCase() === "m") byId("sound")?.click(); });
picture?.addEventListener("load", () => root.style.setProperty("--ratio", picture.naturalWidth / picture.naturalHeight));
if (picture) watch(picture, "picture");

follow(root.dataset.view, {
  settle: fit,
  onNotice(notice) {
    if (!notice.sentence) return;
    write(byId("said"), notice.sentence);
    fit();
  },
});
