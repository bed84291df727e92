// The camera's live picture, for every page that shows it.

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

/**
 * Fetch picture after picture from an address into an image, each when the last is shown: a slow device gets fewer,
 * never late ones. Ends when the image leaves the page. Where none comes in time, the table may have begun to count
 * anew while nobody looked: then any picture will do.
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
      } else if (answer.status === 204) number = -1;
      else await pause(1000);
    } catch {
      number = -1;
      await pause(1000);
    }
  }
}
