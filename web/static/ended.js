// Tableside starts again: go on as soon as it answers.

import { byId } from "./follow.js";
import { pause } from "./sending.js";

const ENDS = 2000; // ms in which the table of before still answers

await pause(ENDS);
for (;;) {
  try {
    await fetch("/running", { cache: "no-store" });
    break;
  } catch {
    await pause(400);
  }
}
location.replace(byId("state").dataset.to);
