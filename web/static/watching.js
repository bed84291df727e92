// The camera's live picture, for every page that shows it.

import { pause } from "./sending.js";

/**
 * Fetch picture after picture from an address into an image, each when the last is shown and the table looks different:
 * a slow device gets fewer, never late ones, and a still table sends none. Ends when the image leaves the page.
 */
export async function watch(image, address) {
  let number = -1;
  while (image.isConnected) {
    if (document.hidden) { await pause(300); continue; }
    try {
      const answer = await fetch(`${address}?after=${number}`);
      if (answer.status === 200) {
        number = Number(answer.headers.get("X-Frame"));
        const url = URL.createObjectURL(await answer.blob());
        const old = image.src;
        image.src = url;
        await image.decode().catch(() => {});
        if (old.startsWith("blob:")) URL.revokeObjectURL(old);
      } else if (answer.status !== 204) await pause(1000);
    } catch {
      number = -1;
      await pause(1000);
    }
  }
}
