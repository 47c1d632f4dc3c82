/**
 * How far a long job has come: a bar on a terminal, otherwise a plain line now and then.
 *
 * @module
 */

import { noteRaw } from "./io.ts";

const REDRAW_MS = 100;
const BAR_CELLS = 20;
const STEP_OF_UNKNOWN: Record<Unit, number> = {
  bytes: 250_000_000,
  rows: 500_000,
  objects: 5_000,
  steps: 10,
};

/** What is counted. */
export type Unit = "bytes" | "rows" | "objects" | "steps";

export interface ProgressOptions {
  /** What is being done, e.g. a file name. */
  label: string;
  /** The amount at the end; absent when unknown. */
  total?: number;
  unit: Unit;
  /** @default {noteRaw} standard error */
  write?: (text: string) => void;
  /** @default {Deno.stderr.isTerminal()} */
  isTerminal?: boolean;
  /** Width of the terminal. @default {Deno.consoleSize().columns} */
  columns?: number;
  /** Milliseconds from any fixed point. @default {performance.now()} */
  now?: () => number;
}

export interface Progress {
  /** Says how much is done in all. The first call sets where the rate is counted from. */
  update(done: number): void;
  /** Shows the last state and leaves the line. Calls after it do nothing. */
  end(): void;
}

/** The type of {@link startProgress}, for those who are handed one. */
export type StartProgress = (options: ProgressOptions) => Progress;

/**
 * Starts a display: on a terminal a bar redrawn at most ten times a second; otherwise one line per
 * 5%, or per 250 MB or 500,000 rows when the total is unknown.
 */
export function startProgress(options: ProgressOptions): Progress {
  const { label, unit, write = noteRaw, now = () => performance.now() } = options;
  const isTerminal = options.isTerminal ?? Deno.stderr.isTerminal();
  const columns = options.columns ?? consoleColumns();
  const total = options.total !== undefined && options.total > 0 ? options.total : undefined;
  const step = total === undefined ? STEP_OF_UNKNOWN[unit] : total / 20;
  const started = now();
  let base: number | undefined;
  let done = 0;
  let shown: number | undefined;
  let drawnAt = -Infinity;
  let ended = false;

  function show(): void {
    const rate = (done - (base ?? 0)) / Math.max(now() - started, 1) * 1000;
    const percent = total === undefined ? undefined : Math.min(100, Math.floor(done / total * 100));
    const parts = percent === undefined ? [] : [`${percent}%`];
    parts.push(total === undefined ? amount(done, unit) : amountOf(done, total, unit));
    if (rate > 0) parts.push(`${amount(rate, unit)}/s`);
    if (rate > 0 && total !== undefined && done < total) {
      parts.push(`${duration((total - done) / rate)} left`);
    }
    if (isTerminal) write(`\r${fit(label, { percent, text: parts.join("  "), columns })}\x1b[K`);
    else write(`${label}: ${parts.join(", ")}\n`);
    shown = done;
  }

  return {
    update(value: number): void {
      if (ended) return;
      base ??= value;
      done = value;
      if (isTerminal) {
        const time = now();
        if (time - drawnAt < REDRAW_MS) return;
        drawnAt = time;
        show();
      } else if (Math.floor(done / step) > Math.floor((shown ?? 0) / step)) {
        show();
      }
    },
    end(): void {
      if (ended) return;
      ended = true;
      if (base !== undefined && shown !== done) show();
      if (isTerminal && shown !== undefined) write("\n");
    },
  };
}

/** An amount for people: `2,070.4 MB` (10^6 bytes) or `4,512,353 rows`. */
export function amount(value: number, unit: Unit): string {
  return `${bare(value, unit)} ${unit === "bytes" ? "MB" : unit}`;
}

/** A time for people: `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function duration(seconds: number): string {
  const s = Math.ceil(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
}

function amountOf(done: number, total: number, unit: Unit): string {
  return `${bare(done, unit)} of ${amount(total, unit)}`;
}

function bare(value: number, unit: Unit): string {
  const digits = unit === "bytes" ? 1 : 0;
  return (unit === "bytes" ? value / 1e6 : value).toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** One line below the terminal's width, where a line that wraps could not be redrawn. The bar is shortened first. */
function fit(
  label: string,
  { percent, text, columns }: { percent: number | undefined; text: string; columns: number },
): string {
  const cells = Math.min(BAR_CELLS, columns - label.length - text.length - 5);
  const bar = percent === undefined || cells < 5
    ? ""
    : ` [${"#".repeat(Math.floor(percent / 100 * cells)).padEnd(cells, "-")}]`;
  return `${label}${bar} ${text}`.slice(0, Math.max(0, columns - 1));
}

function consoleColumns(): number {
  try {
    return Deno.consoleSize().columns;
  } catch {
    return 80; // No console to ask, e.g. a display forced by a test
  }
}
