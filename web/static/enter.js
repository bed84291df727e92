// Entering a code: one that was scanned stands behind the #, and is typed in for its owner to send.

import { byId } from "./follow.js";
import { scanned } from "./sending.js";

const code = scanned();
if (code && byId("code")) {
  byId("code").value = code;
  byId("enter").focus();
}
