/**
 * Shows the progress of a long job: a bar on a terminal, otherwise an occasional line of text.
 *
 * @module
 */

import { noteRaw } from "./io.ts";

const REDRAW_MS = 100;
/** Minimum milliseconds between two lines in a log. Shorter work writes no line. */
const LINE_MS = 1_000;
const BAR_CELLS = 20;
const STEP_OF_UNKNOWN: Record<Unit, number> = {
  bytes: 250_000_000,
  rows: 500_000,
  objects: 5_000,
  steps: 10,
};

export type Unit = "bytes" | "rows" | "objects" | "steps";

export interface ProgressOptions {
  /** What is being done, e.g. a file name. */
  label: string;
  /** The final amount, if known. */
  total?: number | undefined;
  unit: Unit;
  /** @default {noteRaw} standard error */
  write?: (text: string) => void;
  /** Width of the terminal; undefined when the output is not a terminal. @default {Deno.consoleSize().columns} */
  columns?: number | undefined;
  /** A clock in milliseconds, with any starting point. @default {performance.now()} */
  now?: () => number;
}

export interface Progress {
  /** Sets the total amount done so far. The rate is measured from the first call. */
  update(done: number, total?: number): void;
  /** Shows the final state and ends the line. Later calls do nothing. */
  end(): void;
}

export type StartProgress = (options: ProgressOptions) => Progress;

/**
 * Starts a progress display. On a terminal, redraws a bar at most ten times a second. Otherwise writes a line per 5%,
 * or per `STEP_OF_UNKNOWN` if the total is unknown, at most one a second.
 */
export function startProgress(options: ProgressOptions): Progress {
  const { label, unit, write = noteRaw, now = () => performance.now() } = options;
  const columns = "columns" in options ? options.columns : consoleColumns();
  let total = options.total || undefined;
  let base: { done: number; at: number } | undefined;
  let done = 0;
  let shown: number | undefined;
  let drawnAt = -Infinity;
  let ended = false;

  function show(): void {
    const rate = (done - base!.done) / Math.max(now() - base!.at, 1) * 1000;
    const parts = total === undefined ? [amount(done, unit)] : [
      `${Math.min(100, Math.floor(done / total * 100))}%`,
      `${figure(done, unit)} of ${amount(total, unit)}`,
    ];
    if (rate > 0) parts.push(`${amount(rate, unit)}/s`);
    if (rate > 0 && total !== undefined && done < total) {
      parts.push(`${duration((total - done) / rate)} left`);
    }
    if (columns === undefined) write(`${label}: ${parts.join(", ")}\n`);
    else write(`\r${fit(label, parts.join("  "), columns)}\x1b[K`);
    shown = done;
  }

  /** Fits the line into the terminal's width, because a wrapped line could not be redrawn. Shortens the bar first. */
  function fit(label: string, text: string, columns: number): string {
    const cells = Math.min(BAR_CELLS, columns - label.length - text.length - 5);
    const bar = total === undefined || cells < 5
      ? ""
      : ` [${"#".repeat(Math.min(1, done / total) * cells).padEnd(cells, "-")}]`;
    return `${label}${bar} ${text}`.slice(0, Math.max(0, columns - 1));
  }

  return {
    update(value, all = total): void {
      if (ended) return;
      total = all || undefined;
      done = value;
      if (base === undefined) {
        base = { done, at: now() };
        if (columns === undefined) drawnAt = base.at;
      }
      const step = total === undefined ? STEP_OF_UNKNOWN[unit] : total / 20;
      const isDue = columns === undefined
        ? now() - drawnAt >= LINE_MS && Math.floor(done / step) > Math.floor((shown ?? 0) / step)
        : now() - drawnAt >= REDRAW_MS;
      if (!isDue) return;
      drawnAt = now();
      show();
    },
    end(): void {
      if (ended) return;
      ended = true;
      const isShort = columns === undefined && base !== undefined && now() - base.at < LINE_MS;
      if (base !== undefined && shown !== done && !isShort) show();
      if (columns !== undefined && shown !== undefined) write("\n");
    },
  };
}

/** Formats an amount: `2,070.4 MB` (10^6 bytes) or `4,512,353 rows`. */
export function amount(value: number, unit: Unit): string {
  return `${figure(value, unit)} ${unit === "bytes" ? "MB" : unit}`;
}

function figure(value: number, unit: Unit): string {
  const digits = unit === "bytes" ? 1 : 0;
  return (unit === "bytes" ? value / 1e6 : value).toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Formats a duration: `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function duration(seconds: number): string {
  const s = Math.ceil(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
}

function consoleColumns(): number | undefined {
  return Deno.stderr.isTerminal() ? Deno.consoleSize().columns : undefined;
}
