// The camera is chosen without leaving the page, and shown again when somebody else or a phone changed it.

import { byId, replace, whenFree } from "./follow.js";
import { post } from "./sending.js";
import { say } from "./speech.js";

const part = () => byId("choice");

/** Offer what the chosen camera has: its sizes, its exposure; neither for what is no webcam. */
function fit() {
  const form = byId("use-form");
  const chosen = form?.querySelector("[name=camera]:checked");
  if (!form) return;
  const sizes = (chosen?.dataset.sizes ?? "").split(" ").filter(Boolean);
  const size = byId("size");
  [...size.options].forEach((one) => { one.hidden = one.disabled = Boolean(one.value) && !sizes.includes(one.value); });
  if (size.selectedOptions[0]?.disabled) size.value = "";
  byId("live-only").hidden = !sizes.length;
  byId("exposure").disabled = !(chosen && "holds" in chosen.dataset);
  byId("address").closest("p").hidden = byId("address-hint").hidden = chosen?.value !== "address";
}

/** Show the part as it is now, where it is another; what is being chosen here stays while nothing else changed. */
export async function chosenNow({ always = false, spoken = false } = {}) {
  try {
    const answer = await fetch("/camera/choice");
    const html = await answer.text();
    if (!answer.ok || !part()) return;
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("choice");
    if (!always && fresh?.dataset.state === part().dataset.state) return;
    await new Promise((done) => { whenFree(() => { replace("choice", html, fit); done(); }); });
    const says = byId("waits") ? byId("waits").querySelector("h3") : byId("looks");
    if (spoken) say(says?.textContent.trim());
  } catch {
    // The link says that the table does not answer.
  }
}

function refuse(words) {
  byId("choice-refusal").textContent = words.trim();
}

async function send(form, button) {
  refuse("");
  button.setAttribute("aria-disabled", "true");
  if (form.dataset.doing) say(form.dataset.doing);
  try {
    const answer = await post(form.getAttribute("action"), new URLSearchParams(new FormData(form)));
    if (answer.ok) await chosenNow({ always: true, spoken: true });
    else refuse(await answer.text());
  } catch {
    refuse(byId("choice-refusal").dataset.noAnswer);
  }
  button.removeAttribute("aria-disabled");
  if (!byId(button.id)) part()?.focus({ preventScroll: true });
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("#choice form.sent")) return;
  event.preventDefault();
  const button = event.submitter ?? event.target.querySelector("button");
  if (button.getAttribute("aria-disabled") !== "true") send(event.target, button);
});

document.addEventListener("change", (event) => {
  if (!event.target.matches("#choice [name=camera]")) return;
  fit();
  if (event.target.value === "address") byId("address").focus();
});

fit();
setInterval(() => { if (!document.hidden) chosenNow({ spoken: true }); }, 15000);
