// Television and Spectator: they follow, and there is nothing to operate.

import { byId, follow } from "./follow.js";

const root = byId("table");

follow(root.dataset.view, {
  onNotice(notice) {
    if (!notice.sentence) return;
    const said = byId("said");
    said.textContent = said.textContent === notice.sentence ? `${notice.sentence}\u00a0` : notice.sentence;
  },
});
