// Television and Spectator: they follow, and there is nothing to operate.

import { byId, follow } from "./follow.js";
import { write } from "./speech.js";

const root = byId("table");

/** Nobody can scroll a television: what is higher than the screen is shown smaller, until all of it fits. */
function fit() {
  if (!root.matches(".television")) return;
  root.style.removeProperty("--fit");
  if (matchMedia("(max-width: 60rem)").matches) return; // a phone, which scrolls
  const page = document.documentElement;
  for (let size = 0.96; size > 0.3 && page.scrollHeight > page.clientHeight; size -= 0.04) {
    root.style.setProperty("--fit", size);
  }
}

window.addEventListener("resize", fit);
window.addEventListener("load", fit);
fit();

follow(root.dataset.view, {
  settle: fit,
  onNotice(notice) {
    if (!notice.sentence) return;
    write(byId("said"), notice.sentence);
    fit();
  },
});
