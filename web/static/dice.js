// Dice: a set in a file is dropped or chosen; what is wrong with it is said here.

import { dropZone } from "./dropping.js";
import { byId } from "./follow.js";
import { post } from "./sending.js";

const form = byId("import-form");
const said = byId("refusal");

byId("again").hidden = true;
dropZone(form);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  said.textContent = "";
  try {
    const answer = await post(form.getAttribute("action"), new FormData(form));
    if (answer.ok) { location.assign(answer.headers.get("Location")); return; }
    said.textContent = (await answer.text()).trim();
    byId("again").hidden = false; // perhaps it may replace the one that is there
  } catch {
    said.textContent = said.dataset.noAnswer;
  }
});
