/**
 * A module to preload: records the calls of `Deno.cron` and `Deno.serve` in their order, and starts
 * neither. On standard output each call is one JSON line.
 *
 * @module
 */

import { print } from "../pipeline/io.ts";

type CronHandler = () => Promise<void>;

declare global {
  /** The handlers of all crons that were registered. */
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
