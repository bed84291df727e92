// Replay: the arrows go where the links go.
const STEPS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // A table that scrolls sideways and a field keep their arrows.
  if (event.target.matches("input, select, textarea, [role=region]")) return;
  const link = document.getElementById(STEPS[event.key]);
  if (!link || link.hasAttribute("aria-current")) return;
  event.preventDefault();
  location.assign(link.href);
});
