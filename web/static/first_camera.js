// First steps, the cameras: what each sees, live; one that gives no picture says why.

import { byId } from "./follow.js";
import { pause } from "./sending.js";
import { watch } from "./watching.js";

const AGAIN = 5000; // ms until a camera that gave no picture is asked once more

/** Show what a camera sees for as long as the page is open. */
async function show(image) {
  const state = image.closest(".face").querySelector(".state");
  const address = image.getAttribute("src");
  while (image.isConnected) {
    try {
      const answer = await fetch(`${address}?after=-1`);
      if (answer.ok) {
        state.textContent = "";
        await watch(image, address);
        return;
      }
      state.textContent = await answer.text();
    } catch {
      state.textContent = state.dataset.lost;
    }
    await pause(AGAIN);
  }
}

document.querySelectorAll("[data-live]").forEach(show);
byId("trouble")?.focus();
