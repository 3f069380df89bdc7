// The table of the ranks.
import { bytes, count, span } from "./text.js";

const most = 1000; // lines

// Each column: its name, its text, and what ranks are sorted by, the largest first; words are sorted as such.
const columns = [
  { name: "rank", text: (r) => `${r.rank}`, value: (r) => -r.rank },
  { name: "host", text: (r) => r.host || "", words: true, needs: (s) => s.hosts > 1 },
  { name: "state", text: (r) => r.state, words: true, colour: true },
  { name: "CPU", text: (r) => `${(100 * r.processors).toFixed(0)}%`, value: (r) => r.processors, sampled: true },
  { name: "memory", text: (r) => bytes(r.memory), value: (r) => r.memory, sampled: true },
  { name: "sent/s", text: (r) => count(r.sent), value: (r) => r.sent, sampled: true },
  { name: "recv/s", text: (r) => count(r.received), value: (r) => r.received, sampled: true },
  { name: "out/s", text: (r) => bytes(r.out), value: (r) => r.out, sampled: true },
  { name: "in/s", text: (r) => bytes(r.in), value: (r) => r.in, sampled: true },
  { name: "unexp.", title: "messages that no receive has taken", text: (r) => count(r.unexpected), value: (r) => r.unexpected, sampled: true },
  { name: "resent", title: "packets or DATA chunks sent once more", text: (r) => count(r.resent), value: (r) => r.resent, sampled: true, needs: (s) => s.paths.length > 0 },
  { name: "RTT", title: "longest round trip to a peer", text: (r) => (r.rtt > 0 ? span(r.rtt) : "–"), value: (r) => r.rtt, sampled: true, needs: (s) => s.paths.length > 0 },
  { name: "waits", text: (r) => r.doing || "", value: (r) => r.waited, words: true },
];

let chosen = columns[0], reversed = false, last = null, shown = [];

function compare(a, b) {
  const order = chosen.value ? chosen.value(b) - chosen.value(a) : chosen.text(a).localeCompare(chosen.text(b));
  return (reversed ? -order : order) || a.rank - b.rank;
}

// set changes the page only where it is different.
function set(node, text, className) {
  if (node.textContent !== text) node.textContent = text;
  if (node.className !== className) node.className = className;
}

function head() {
  document.getElementById("head").replaceChildren(...shown.map((c) => {
    const cell = document.createElement("th"), button = document.createElement("button");
    cell.scope = "col";
    if (c.words) cell.className = "words";
    if (c === chosen) cell.setAttribute("aria-sort", reversed ? "ascending" : "descending");
    button.type = "button";
    button.textContent = c.name;
    button.title = c.title || "";
    button.addEventListener("click", () => {
      reversed = c === chosen && !reversed;
      chosen = c;
      shown = [];
      draw(last);
    });
    cell.append(button);
    return cell;
  }));
}

export function draw(sample) {
  last = sample;
  const fitting = columns.filter((c) => !c.needs || c.needs(sample));
  const body = document.getElementById("rows");
  if (fitting.length !== shown.length) {
    shown = fitting;
    head();
    body.replaceChildren();
  }
  const ranks = [...sample.ranks].sort(compare).slice(0, most);
  while (body.rows.length > ranks.length) body.deleteRow(-1);
  while (body.rows.length < ranks.length) {
    const row = body.insertRow();
    for (const _ of shown) row.insertCell();
  }
  ranks.forEach((r, i) => {
    const row = body.rows[i];
    shown.forEach((c, at) => {
      const text = c.sampled && !r.known ? "–" : c.text(r);
      set(row.cells[at], text, (c.words ? "words" : "") + (c.colour ? ` ${r.state}` : ""));
    });
  });
  const more = document.getElementById("more"), left = sample.ranks.length - ranks.length;
  more.hidden = left <= 0;
  more.textContent = `and ${left} more ranks, which come later in this order`;
}
