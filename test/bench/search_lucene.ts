/**
 * The peer Lucene 8: feeds and asks LucenePeer.java, which needs a JDK and Debian's `liblucene8-java`.
 *
 * @module
 */

import type { BenchCarrier, Engine } from "./search_engine.ts";
import { fold, NOISE } from "./search_text.ts";

const JARS = ["lucene-core", "lucene-analyzers-common"].map((name) =>
  `/usr/share/java/${name}-8.7.0.jar`
);
const PROGRAM = new URL("./LucenePeer.java", import.meta.url).pathname;
const LINES_A_WRITE = 10_000;

/** The requirements of Lucene that this machine lacks, in words; undefined when it can run. */
export async function missingForLucene(): Promise<string | undefined> {
  for (const jar of JARS) {
    const isThere = await Deno.stat(jar).then(() => true, () => false);
    if (!isThere) return `there is no ${jar} (Debian's liblucene8-java)`;
  }
  try {
    await new Deno.Command("java", { args: ["-version"], stderr: "null" }).output();
    return undefined;
  } catch {
    return "there is no java (a JDK of 11 or newer)";
  }
}

/** Lucene over an index in a folder, which is reused if an earlier run finished it. */
export async function openLucene(
  dir: string,
  carriers: () => AsyncIterable<BenchCarrier>,
): Promise<Engine> {
  const isKept = await Deno.stat(`${dir}.done`).then(() => true, () => false);
  if (!isKept) await Deno.remove(dir, { recursive: true }).catch(() => {});
  const child = new Deno.Command("java", {
    args: ["-Xmx4g", "-cp", JARS.join(":"), PROGRAM, dir, [...NOISE].join(" ")],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  child.unref();
  const input = child.stdin.getWriter();
  const output = linesOf(child.stdout);
  const write = (lines: readonly string[]): Promise<void> =>
    input.write(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
  if (!isKept) {
    let lines: string[] = [];
    for await (const { dot, active, units, folded } of carriers()) {
      const { name, dba, city, states } = folded;
      const rank = (active ? 2 ** 32 : 0) + units;
      lines.push([dot, rank, name, dba, city, states.join(" "), states.join(",")].join("\t"));
      if (lines.length < LINES_A_WRITE) continue;
      await write(lines);
      lines = [];
    }
    await write([...lines, ""]);
  }
  if ((await output.next()).value !== "ready") throw new Error("Lucene did not start");
  await Deno.writeTextFile(`${dir}.done`, "");
  const files = await Array.fromAsync(Deno.readDir(dir));
  return {
    name: "Lucene 8.7",
    bytes: files.reduce((sum, { name }) => sum + Deno.statSync(`${dir}/${name}`).size, 0),
    async search(query, limit) {
      await write([fold(query)]);
      const { value = "" } = await output.next();
      return value.split(" ").filter((dot: string) => dot !== "").map(Number).slice(0, limit);
    },
  };
}

async function* linesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
