// Numbers as short text, as mpirun top has them.

const trimmed = (n) => (n < 9.95 && !Number.isInteger(n) ? n.toFixed(1) : n.toFixed(0));

function scaled(n, step, most, units) {
  let unit = units[0];
  for (let i = 1; n >= most && i < units.length; i++) {
    n /= step;
    unit = units[i];
  }
  return trimmed(n) + unit;
}

export const count = (n) => (n < 0.05 ? "0" : scaled(n, 1000, 99999.5, ["", "k", "M", "G", "T"]));

export const bytes = (n) => scaled(n, 1024, 1000, [" B", " KiB", " MiB", " GiB", " TiB", " PiB"]);

// span is a time in seconds.
export function span(s) {
  if (s < 1e-3) return `${Math.round(s * 1e6)} µs`;
  if (s < 1e-2) return `${(s * 1e3).toFixed(1)} ms`;
  if (s < 1) return `${Math.round(s * 1e3)} ms`;
  if (s < 120) return `${Math.floor(s)} s`;
  if (s < 7200) return `${Math.floor(s / 60)} min`;
  return `${Math.floor(s / 3600)} h`;
}

export const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
