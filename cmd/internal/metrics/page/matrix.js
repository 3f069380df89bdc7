// The matrix: a line for each rank, a column for each that it has to do with. Of more than 64 ranks a cell stands for several.
import { count, span } from "./text.js";
import { element } from "./svg.js";

const most = 64;

// cells gathers values by "line,column". Column -1 is for any rank.
function cells(sample, mode, group) {
  const found = new Map();
  const put = (from, to, value, join) => {
    const key = `${Math.floor(from / group)},${to < 0 ? -1 : Math.floor(to / group)}`;
    found.set(key, found.has(key) ? join(found.get(key), value) : value);
  };
  const sum = (a, b) => a + b;
  if (mode === "waits") {
    for (const r of sample.ranks) {
      for (const peer of new Set(r.peers)) put(r.rank, peer, 1, sum);
      if (r.any) put(r.rank, -1, 1, sum);
    }
  } else {
    for (const [from, to, rtt, resent] of sample.paths) {
      if (mode === "rtt") put(from, to, rtt, Math.max);
      else if (resent > 0) put(from, to, resent, sum);
    }
  }
  return found;
}

const texts = {
  waits: (v, from, to) => `${from} waits for ${to}${v > 1 ? ` (${count(v)} times)` : ""}`,
  rtt: (v, from, to) => `${from} to ${to}: ${span(v)}`,
  resent: (v, from, to) => `${from} to ${to}: ${count(v)} sent again`,
};

// strength is how strong a value's colour is, from 0.15 to 1: by its logarithm, as values differ a lot.
function strength(v, least, greatest) {
  return greatest > least ? 0.15 + (0.85 * Math.log(v / least)) / Math.log(greatest / least) : 1;
}

export function draw(sample, mode) {
  const svg = document.getElementById("matrix");
  const group = Math.ceil(sample.size / most), lines = Math.ceil(sample.size / group);
  const any = mode === "waits" ? 1 : 0, cell = Math.max(9, Math.min(26, 420 / lines)), side = 64;
  const turned = group > 1 || sample.size > 100, head = turned ? 72 : 36;
  const name = (i) => (group === 1 ? `${i}` : `${i * group}–${Math.min(sample.size, (i + 1) * group) - 1}`);
  const x = (column) => side + (any ? (column < 0 ? 0 : (column + 1) * cell + 6) : column * cell), y = (line) => head + line * cell;
  const width = x(lines) + 2, height = y(lines) + 2;
  const square = (line, column, attributes) => element("rect", { x: x(column), y: y(line), width: cell - 1, height: cell - 1, ...attributes });
  const label = (text, column, turned) => {
    const at = x(column) + cell / 2;
    return turned
      ? element("text", { transform: `translate(${at + 4} ${head - 5}) rotate(-90)` }, text)
      : element("text", { x: at, y: head - 6, "text-anchor": "middle" }, text);
  };
  const parts = [
    element("text", { x: side - 5, y: 12, "text-anchor": "end" }, mode === "waits" ? "waits ↓" : "from ↓"),
    element("text", { x: x(0), y: 12 }, mode === "waits" ? "for →" : "to →"),
    element("rect", { class: "frame", x: x(0), y: head, width: lines * cell, height: lines * cell }),
  ];
  if (any) {
    parts.push(element("rect", { class: "frame", x: x(-1), y: head, width: cell, height: lines * cell }));
    parts.push(label("any", -1, turned));
  }
  const every = Math.ceil(14 / cell);
  for (let i = 0; i < lines; i += every) {
    parts.push(element("text", { x: side - 5, y: y(i + 0.5) + 4, "text-anchor": "end" }, name(i)));
    parts.push(label(name(i), i, turned));
  }
  if (group === 1) for (let i = 0; i < lines; i++) parts.push(square(i, i, { class: "self" }));
  const found = cells(sample, mode, group), values = [...found.values()].filter((v) => v > 0);
  const least = Math.min(...values), greatest = Math.max(...values);
  for (const [key, v] of found) {
    if (!(v > 0)) continue;
    const [line, column] = key.split(",").map(Number);
    const rect = square(line, column, { class: `cell ${mode}`, opacity: strength(v, least, greatest).toFixed(2) });
    rect.append(element("title", {}, texts[mode](v, name(line), column < 0 ? "any rank" : name(column))));
    parts.push(rect);
  }
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.maxWidth = `${width * 1.3}px`;
  svg.replaceChildren(...parts);
  document.getElementById("legend").textContent = legend(sample, mode, group, values, least, greatest);
}

function legend(sample, mode, group, values, least, greatest) {
  const parts = [];
  if (mode === "waits") parts.push(values.length === 0 ? "No rank waits." : "The rank of a line waits for that of the column; any: for whichever sends first.");
  else if (values.length === 0) parts.push(mode === "rtt" || sample.paths.length === 0 ? "No connections over the network, or their transport does not tell of them." : "Nothing has been sent again.");
  else parts.push(`From the rank of the line to that of the column: ${mode === "rtt" ? `${span(least)} (faint) to ${span(greatest)}` : `${count(least)} (faint) to ${count(greatest)} packets or chunks`}.`);
  if (mode !== "waits" && sample.morePaths > 0) parts.push(`${count(sample.morePaths)} better connections are left out.`);
  if (group > 1) parts.push(`A cell stands for ${group} × ${group} ranks.`);
  return parts.join(" ");
}
