/**
 * A module to preload: records the calls of `Deno.cron` and `Deno.serve` in order, and starts
 * neither. It prints each call as one JSON line to standard output.
 *
 * @module
 */

import { print } from "../pipeline/io.ts";

type CronHandler = () => Promise<void>;

declare global {
  /** The handlers of all registered crons. */
  var crons: CronHandler[];
}

globalThis.crons = [];

function cron(name: string, schedule: string, handler: CronHandler): Promise<void> {
  print(JSON.stringify({ cron: name, schedule }));
  globalThis.crons.push(handler);
  return Promise.resolve();
}

function serve(): never {
  print(JSON.stringify({ serve: true }));
  Deno.exit(0);
}

Object.defineProperties(Deno, { cron: { value: cron }, serve: { value: serve } });
