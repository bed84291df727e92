// Files that are dropped on a page, or chosen: sent at once, without another button.

/** Send a form as soon as its file field has files; what is dropped anywhere on the page goes there, too. */
export function dropZone(form) {
  const field = form.querySelector("input[type=file]");
  const over = (on) => form.classList.toggle("over", on);
  field.addEventListener("change", () => { if (field.files.length) form.requestSubmit(); });
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    over(true);
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    over(false);
    field.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
