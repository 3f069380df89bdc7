// The timeline: rates of all ranks together over the last minutes.
import { bytes, count } from "./text.js";
import { element } from "./svg.js";

const left = 64, bottom = 20, top = 8, right = 8;

// Each chart: which value of a point it shows, its text, and whether its steps are powers of two.
const charts = [
  { id: "messages", value: (p) => p[1], text: (n) => `${count(n)}/s`, binary: false },
  { id: "bytes", value: (p) => p[2], text: (n) => `${bytes(n)}/s`, binary: true },
  { id: "waiting", value: (p) => p[5], text: count, binary: false, whole: true },
];

// limit is a round number at or above n that two steps divide well.
function limit(n, { binary, whole }) {
  if (n <= 0) return whole ? 2 : 1;
  const base = binary ? 1024 ** Math.floor(Math.log2(n) / 10) : 1;
  const power = 10 ** Math.floor(Math.log10(n / base));
  const best = base * power * [1, 2, 4, 6, 8, 10].find((f) => f * power * base >= n * 0.999999);
  return whole ? Math.max(2, best) : best;
}

// window is the time that is shown, in seconds: what there is, of 2 to 15 minutes.
const shown = (points) => Math.min(900, Math.max(120, Math.ceil((points.at(-1)[0] - points[0][0]) / 60000) * 60));

export function draw(points) {
  if (points.length === 0) return;
  const seconds = shown(points), end = points.at(-1)[0];
  for (const chart of charts) {
    const svg = document.getElementById(chart.id);
    const width = svg.clientWidth, height = svg.clientHeight;
    const most = limit(Math.max(...points.map(chart.value)), chart);
    const x = (t) => left + (width - left - right) * Math.max(0, 1 - (end - t) / 1000 / seconds);
    const y = (v) => height - bottom - ((height - bottom - top) * v) / most;
    const parts = [];
    for (const v of [0, most / 2, most]) {
      parts.push(element("path", { class: "grid", d: `M${left} ${y(v)}H${width - right}` }));
      parts.push(element("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, chart.text(v)));
    }
    const minutes = seconds / 60, step = minutes <= 3 ? 1 : minutes <= 6 ? 2 : 5;
    for (let m = 0; m <= minutes; m += step) {
      const at = x(end - m * 60000);
      parts.push(element("path", { class: "grid", d: `M${at} ${height - bottom}v4` }));
      parts.push(element("text", { x: at, y: height - 4, "text-anchor": m === 0 ? "end" : "middle" }, m === 0 ? "now" : `−${m} min`));
    }
    // A rate is that of the whole time since the look before.
    let curve = "";
    points.forEach((p, i) => {
      const from = x(i === 0 ? p[0] : points[i - 1][0]);
      curve += `${i === 0 ? "M" : "L"}${from.toFixed(1)} ${y(chart.value(p)).toFixed(1)}H${x(p[0]).toFixed(1)}`;
    });
    parts.push(element("path", { class: "area", d: `${curve}V${y(0)}H${x(points[0][0])}Z` }));
    parts.push(element("path", { class: "curve", d: curve }));
    svg.replaceChildren(...parts);
    document.getElementById(`now-${chart.id}`).textContent = chart.text(chart.value(points.at(-1)));
  }
}
