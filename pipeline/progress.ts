/**
 * How far a long job has come: a line that is redrawn on a terminal, otherwise a line now and then.
 *
 * @module
 */

import { noteRaw } from "./io.ts";
import { counted } from "./text.ts";

/** Milliseconds between two lines: redrawn on a terminal, or one after the other. */
const REDRAW_MS = 100;
const LINE_MS = 30_000;

export type Unit = "bytes" | "rows" | "objects" | "steps";

export interface ProgressOptions {
  /** What is being done, e.g. a file name. */
  label: string;
  /** The amount at the end, where it is known. */
  total?: number | undefined;
  unit: Unit;
  /** @default {noteRaw} standard error */
  write?: (text: string) => void;
  /** Width of the terminal; undefined when it is none. @default {Deno.consoleSize().columns} */
  columns?: number | undefined;
  /** Milliseconds from any fixed point. @default {performance.now()} */
  now?: () => number;
}

export interface Progress {
  /** Says how much is done in all. The first call sets where the rate is counted from. */
  update(done: number, total?: number): void;
  /** Shows the last state and leaves the line. Calls after it do nothing. */
  end(): void;
}

export type StartProgress = (options: ProgressOptions) => Progress;

/** Starts a display. */
export function startProgress(options: ProgressOptions): Progress {
  const { label, unit, write = noteRaw, now = () => performance.now() } = options;
  const columns = "columns" in options ? options.columns : consoleColumns();
  let total = options.total || undefined;
  let base: { done: number; at: number } | undefined;
  let done = 0;
  let shown: { done: number; at: number } | undefined;
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
    const text = `${label}: ${parts.join(", ")}`;
    // A line that wraps could not be redrawn.
    if (columns === undefined) write(`${text}\n`);
    else write(`\r${text.slice(0, Math.max(0, columns - 1))}\x1b[K`);
    shown = { done, at: now() };
  }

  return {
    update(value, all = total): void {
      if (ended) return;
      total = all || undefined;
      done = value;
      base ??= { done, at: now() };
      const pause = columns === undefined ? LINE_MS : REDRAW_MS;
      if (now() - (shown ?? base).at >= pause) show();
    },
    end(): void {
      if (ended) return;
      ended = true;
      if (base !== undefined && shown?.done !== done) show();
      if (columns !== undefined && shown !== undefined) write("\n");
    },
  };
}

/** An amount for people: `2,070.4 MB` (10^6 bytes) or `4,512,353 rows`. */
export function amount(value: number, unit: Unit): string {
  return `${figure(value, unit)} ${unit === "bytes" ? "MB" : unit}`;
}

function figure(value: number, unit: Unit): string {
  if (unit !== "bytes") return counted(Math.round(value));
  const one = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (value / 1e6).toLocaleString("en-US", one);
}

/** A time for people: `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function duration(seconds: number): string {
  const s = Math.ceil(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
}

function consoleColumns(): number | undefined {
  return Deno.stderr.isTerminal() ? Deno.consoleSize().columns : undefined;
}
