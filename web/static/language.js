"use strict";
// A device has one language: when it is changed on one page, the others in the same browser follow by themselves.

{
  const KEY = "language";
  const mine = document.documentElement.lang;

  /** The language that a page of this device came in last; none where the browser keeps nothing. */
  function newest() {
    try {
      return localStorage.getItem(KEY) ?? mine;
    } catch {
      return mine;
    }
  }

  /** Whether a reload would lose something: what is being typed, or a phone's camera that runs. */
  function busy() {
    const fields = document.querySelectorAll("input:not([type]), input[type=text], input[type=number], textarea");
    return [...fields].some((one) => one.value !== one.defaultValue) || document.querySelector("video[data-live]") !== null;
  }

  function follow() {
    if (newest() !== mine && !busy()) location.reload();
  }

  try {
    localStorage.setItem(KEY, mine);
  } catch {
    // The pages of this device stay as they are until they are opened again.
  }
  window.addEventListener("storage", (event) => { if (event.key === KEY) follow(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) follow(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) follow(); });
}
