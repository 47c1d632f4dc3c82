/** Runs Deno as a process of its own and measures it from outside. */

/** What a finished process cost. */
export interface Measured {
  seconds: number;
  /** Most resident memory at any time of the process and all below it, in bytes. */
  peakBytes: number;
}

const LOOK_EVERY_MS = 100;

/**
 * Runs `deno` with arguments to its end.
 *
 * @throws {Error} With what it printed, when it fails.
 */
export async function measure(args: string[], { cwd = "." } = {}): Promise<Measured> {
  const began = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, treeBytes(child.pid));
  }, LOOK_EVERY_MS);
  const { success, stderr } = await child.output();
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1000;
  if (!success) {
    throw new Error(`Cannot run deno ${args.join(" ")}:\n${new TextDecoder().decode(stderr)}`);
  }
  return { seconds, peakBytes };
}

function treeBytes(root: number): number {
  const parents = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = Deno.readTextFileSync(`/proc/${name}/status`);
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      sizes.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024);
    } catch {
      // It ended between the listing and the reading
    }
  }
  let sum = 0;
  for (const [pid, bytes] of sizes) {
    for (let at: number | undefined = pid; at; at = parents.get(at)) {
      if (at === root) {
        sum += bytes;
        break;
      }
    }
  }
  return sum;
}

/** Processor time of a process, in microseconds. From Linux's /proc, in ticks of 10 ms; NaN elsewhere. */
export async function cpuMicroseconds(pid: number): Promise<number> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return NaN;
  }
}
