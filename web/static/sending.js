// What pages send, and what the address of a scanned code brings.

/** Send something as one of the table's own pages: it answers with a status and a sentence, and leads nowhere else. */
export function post(action, body, { headers = {}, patience = 0 } = {}) {
  const signal = patience ? AbortSignal.timeout?.(patience) : undefined;
  return fetch(action, { method: "POST", headers: { "X-Requested-With": "tableside", ...headers }, body, signal });
}

/** The code behind the #; nobody who looks at the address later shall read it there. */
export function scanned() {
  if (!/^#[\w-]{4,40}$/.test(location.hash)) return "";
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  return code;
}

export const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
