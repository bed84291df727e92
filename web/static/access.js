// Entering a code: one that was scanned stands behind the #, and is typed in for its owner to send.
"use strict";

const field = document.getElementById("code");
if (field && /^#[\w-]{4,40}$/.test(location.hash)) {
  field.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname); // nobody who looks at the address later shall read it
  document.getElementById("enter").focus();
}
