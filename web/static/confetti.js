// When somebody wins, paper falls over the page; when the rarest roll of a game lies there, its dice do.

const LASTS = 5000; // ms
const MANY = 70;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The dice on the page, to be drawn again: their shape and what they show, in a square of 64. */
function dice() {
  return [...document.querySelectorAll("main .die > svg:first-child, main .tv-die > svg")].map((svg) => {
    const [shape, art] = [svg.querySelector("path"), svg.querySelector("image")];
    const at = ["x", "y", "width", "height"].map((side) => Number(art?.getAttribute(side)));
    const image = Object.assign(new Image(), { src: art?.getAttribute("href") ?? "" });
    return { shape: new Path2D(shape.getAttribute("d")), image, at };
  });
}

/** The pieces: these dice, or slips of paper in the colours of the table. */
function pieces(faces) {
  const colours = ["--felt", "--glow-line", "--held", "--ask"].map((one) => getComputedStyle(document.body).getPropertyValue(one));
  return Array.from({ length: faces.length ? MANY / 2 : MANY }, (_, i) => ({
    face: faces[i % faces.length],
    colour: colours[i % colours.length],
    x: Math.random(),
    size: (faces.length ? 48 : 11) * (0.7 + Math.random() * 0.6),
    begins: Math.random() * LASTS * 0.4,
    falls: LASTS * (0.4 + Math.random() * 0.2), // ms from top to bottom
    turns: (Math.random() - 0.5) * 12,
    sways: Math.random() * 7,
  }));
}

function draw(pen, one, time, [width, height]) {
  const part = (time - one.begins) / one.falls;
  if (part < 0 || part > 1) return;
  pen.save();
  pen.globalAlpha = Math.min(1, (1 - part) * 5);
  pen.translate(one.x * width + Math.sin(part * 6 + one.sways) * 30, part * (height + 2 * one.size) - one.size);
  pen.rotate(part * one.turns);
  if (one.face) {
    pen.scale(one.size / 64, one.size / 64);
    pen.translate(-32, -32);
    Object.assign(pen, { fillStyle: "#fbf8ef", strokeStyle: "#56604f", lineWidth: 2 });
    pen.fill(one.face.shape);
    pen.stroke(one.face.shape);
    if (one.face.image.naturalWidth) pen.drawImage(one.face.image, ...one.face.at);
  } else {
    pen.scale(1, Math.cos(part * 20 + one.sways)); // paper turns over
    pen.fillStyle = one.colour;
    pen.fillRect(-one.size / 2, -one.size / 3, one.size, one.size * 0.6);
  }
  pen.restore();
}

function fall(faces) {
  document.querySelector(".confetti")?.remove();
  const canvas = document.createElement("canvas");
  const [width, height, fine] = [innerWidth, innerHeight, Math.min(devicePixelRatio, 2)];
  Object.assign(canvas, { className: "confetti", width: width * fine, height: height * fine, ariaHidden: "true" });
  document.body.append(canvas);
  const [pen, all, began] = [canvas.getContext("2d"), pieces(faces), performance.now()];
  pen.scale(fine, fine);
  requestAnimationFrame(function next(now) {
    if (now - began > LASTS || still.matches) { canvas.remove(); return; }
    pen.clearRect(0, 0, width, height);
    all.forEach((one) => draw(pen, one, now - began, [width, height]));
    if (canvas.isConnected) requestAnimationFrame(next);
  });
}

document.addEventListener("happened", (event) => {
  const { happened } = event.detail;
  if (still.matches || !["win", "rarest"].includes(happened)) return;
  fall(happened === "rarest" ? dice() : []);
});
