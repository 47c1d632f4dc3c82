/**
 * Programs run in separate processes and measured from outside, by Linux's /proc.
 *
 * @module
 */

import process from "node:process";
import { ROOT, type Run, start } from "../run_main.ts";

/** The cost of a finished process. */
export interface Measured {
  seconds: number;
  /** CPU time of all its threads, user and system. */
  cpuSeconds: number;
  /** Peak resident memory. NaN without /proc. */
  peakBytes: number;
  stdout: string;
}

const LOOK_EVERY_MS = 50;

/**
 * Runs Deno to its end. Only one at a time: the CPU time is that of all child processes.
 *
 * @throws {Error} With its output, when it fails.
 */
export async function runMeasured(args: string[]): Promise<Measured> {
  const [began, cpuBefore] = [performance.now(), cpuOf("self", 13)];
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let peak = NaN;
  const timer = setInterval(() => peak = peakBytes(child.pid) || peak, LOOK_EVERY_MS);
  const { success, stdout, stderr } = await child.output();
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1000;
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno ${args.join(" ")} failed:\n${decoder.decode(stderr)}`);
  const cpuSeconds = cpuOf("self", 13) - cpuBefore;
  return { seconds, cpuSeconds, peakBytes: peak, stdout: decoder.decode(stdout) };
}

/** Runs the service over a snapshot, behind a proxy, with its store in memory. */
export function startService(snapshot: string, env: Record<string, string> = {}): Promise<Run> {
  return start({ SNAPSHOT_URL: snapshot, TRUSTED_PROXY_HOPS: "1", ...env });
}

/** CPU seconds that a running process has used. */
export function cpuSeconds({ child }: Run): number {
  return cpuOf(child.pid, 11);
}

/** CPU seconds that this process has used. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** User and system time, the two fields from `first` of /proc's stat, in ticks of 10 ms; NaN elsewhere. */
function cpuOf(process: number | "self", first: 11 | 13): number {
  const stat = readProc(`${process}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[first]) + Number(fields[first + 1])) / 100;
}

/** Peak resident memory of a process; NaN without /proc. */
export function peakBytes(process: number | "self" = "self"): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readProc(`${process}/status`))?.[1]) * 1024;
}

function readProc(path: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${path}`);
  } catch {
    return "";
  }
}
