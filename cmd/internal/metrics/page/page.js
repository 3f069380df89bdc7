// The page asks for the job once a second while it can be seen, and draws it.
import { bytes, count, plural, span } from "./text.js";
import * as timeline from "./timeline.js";
import * as matrix from "./matrix.js";
import * as table from "./table.js";

const $ = (id) => document.getElementById(id);
const kept = 900; // points of the timeline
let points = [], sample = null, timer = 0, asking = false;

function draw() {
  const states = new Map();
  for (const r of sample.ranks) states.set(r.state, (states.get(r.state) || 0) + 1);
  const now = points.at(-1);
  document.title = `${sample.name} (mpirun ${sample.pid})`;
  $("title").textContent = `${sample.name} (mpirun ${sample.pid}), ${plural(sample.size, "rank")}` +
    `${sample.hosts > 1 ? ` on ${plural(sample.hosts, "host")}` : ""}, running for ${span(sample.running)}`;
  $("states").textContent = `${[...states].map(([state, n]) => `${n} ${state}`).join(", ")}; ` +
    `${count(now[1])} messages/s, ${bytes(now[2])}/s, ${count(now[3])} processors in use`;
  const holding = sample.holding || [];
  $("holding").hidden = holding.length === 0;
  $("holding").textContent = "Holding others up: " + holding.slice(0, 3).map((h) => `rank ${h.rank} (${h.state}): ` +
    `${plural(h.waiting, "rank")} ${h.waiting === 1 ? "waits" : "wait"} for it`).join("; ") + (holding.length > 3 ? `; and ${holding.length - 3} more` : "");
  timeline.draw(points);
  matrix.draw(sample, $("mode").value);
  table.draw(sample);
}

// trouble says why the page shows nothing new.
function trouble(text) {
  $("trouble").hidden = text === "";
  $("trouble").textContent = text;
  document.body.classList.toggle("stale", text !== "" && sample !== null);
}

async function ask() {
  clearTimeout(timer);
  if (document.hidden || asking) return;
  asking = true;
  let wait = 1000;
  try {
    const response = await fetch(`sample.json?after=${points.length ? points.at(-1)[0] : 0}`, { signal: AbortSignal.timeout(30000) });
    if (!response.ok) throw new Error((await response.text()).trim());
    const answer = await response.json();
    if (sample && sample.started !== answer.sample.started) { // of another job, at the same address
      points = [];
      location.reload();
    }
    sample = answer.sample;
    points = points.concat(answer.timeline).slice(-kept);
    wait = answer.interval * 1000;
    trouble("");
    draw();
  } catch (err) {
    const why = err instanceof TypeError ? "mpirun does not answer: the job has ended, or the connection is lost" : err.message;
    trouble(`${why}.${sample ? ` This is how it was ${span(sample.running)} after its begin.` : ""}`);
    wait = 5000;
  }
  asking = false;
  timer = setTimeout(ask, wait);
}

document.addEventListener("visibilitychange", ask);
addEventListener("resize", () => sample && draw());
$("mode").addEventListener("change", () => sample && draw());
ask();
