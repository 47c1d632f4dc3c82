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

/** Lucene over an index in a folder, which is reused when an earlier run finished it. */
export class LuceneEngine implements Engine {
  readonly name = "Lucene 8.7";
  #input!: WritableStreamDefaultWriter<Uint8Array>;
  #lines!: AsyncGenerator<string>;

  constructor(readonly dir: string) {}

  async prepare(carriers: () => AsyncIterable<BenchCarrier>): Promise<number> {
    const isKept = await Deno.stat(`${this.dir}.done`).then(() => true, () => false);
    if (!isKept) await Deno.remove(this.dir, { recursive: true }).catch(() => {});
    const child = new Deno.Command("java", {
      args: ["-Xmx4g", "-cp", JARS.join(":"), PROGRAM, this.dir, [...NOISE].join(" ")],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    child.unref();
    this.#input = child.stdin.getWriter();
    this.#lines = linesOf(child.stdout);
    if (!isKept) await this.#feed(carriers());
    if ((await this.#lines.next()).value !== "ready") throw new Error("Lucene did not start");
    await Deno.writeTextFile(`${this.dir}.done`, "");
    const files = await Array.fromAsync(Deno.readDir(this.dir));
    const sizes = files.map(({ name }) => Deno.statSync(`${this.dir}/${name}`).size);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async search(query: string, limit: number): Promise<number[]> {
    await this.#write([fold(query)]);
    const { value = "" } = await this.#lines.next();
    return value.split(" ").filter((dot: string) => dot !== "").map(Number).slice(0, limit);
  }

  async #feed(carriers: AsyncIterable<BenchCarrier>): Promise<void> {
    let lines: string[] = [];
    for await (const { dot, active, units, folded } of carriers) {
      const { name, dba, city, states } = folded;
      const rank = (active ? 2 ** 32 : 0) + units;
      lines.push([dot, rank, name, dba, city, states.join(" "), states.join(",")].join("\t"));
      if (lines.length < LINES_A_WRITE) continue;
      await this.#write(lines);
      lines = [];
    }
    await this.#write([...lines, ""]);
  }

  async #write(lines: readonly string[]): Promise<void> {
    await this.#input.write(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
  }
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
