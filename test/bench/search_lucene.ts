/**
 * The peer Lucene 8: feeds and asks LucenePeer.java, which needs a JDK and Debian's `liblucene8-java`.
 *
 * @module
 */

import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { peakBytes } from "./processes.ts";
import type { Engine, Prepared } from "./search_engine.ts";
import { fold, NOISE, STATE_NAMES } from "./search_text.ts";

const JARS = ["lucene-core", "lucene-analyzers-common"].map((name) =>
  `/usr/share/java/${name}-8.7.0.jar`
);
const PROGRAM = new URL("./LucenePeer.java", import.meta.url).pathname;
const LINES_A_WRITE = 10_000;

/** What is missing to run Lucene, undefined when nothing is. */
export async function missingForLucene(): Promise<string | undefined> {
  for (const jar of JARS) {
    const isThere = await Deno.stat(jar).then(() => true, () => false);
    if (!isThere) return `${jar} (Debian's liblucene8-java)`;
  }
  const java = new Deno.Command("java", { args: ["-version"], stdout: "null", stderr: "null" });
  return await java.output().then(() => undefined, () => "java (a JDK of 11 or newer)");
}

/** Lucene over an index in a folder, which is reused when an earlier run finished it. */
export class LuceneEngine implements Engine {
  readonly name = "Lucene 8.7";
  readonly #dir: string;
  #input!: WritableStreamDefaultWriter<Uint8Array>;
  #lines!: AsyncGenerator<string>;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async prepare(records: AsyncIterable<CarrierRecord>): Promise<Prepared> {
    const figures = `${this.#dir}.json`;
    const kept = await Deno.readTextFile(figures).catch(() => null);
    const began = performance.now();
    if (kept === null) await Deno.remove(this.#dir, { recursive: true }).catch(() => {});
    const child = new Deno.Command("java", {
      args: ["-Xmx4g", "-cp", JARS.join(":"), PROGRAM, this.#dir, [...NOISE].join(" ")],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    child.unref();
    this.#input = child.stdin.getWriter();
    this.#lines = linesOf(child.stdout);
    if (kept === null) await this.#feed(records);
    if ((await this.#lines.next()).value !== "ready") throw new Error("Lucene did not start");
    if (kept !== null) return JSON.parse(kept) as Prepared;
    let indexBytes = 0;
    for await (const { name } of Deno.readDir(this.#dir)) {
      indexBytes += (await Deno.stat(`${this.#dir}/${name}`)).size;
    }
    const seconds = (performance.now() - began) / 1000;
    const prepared: Prepared = { seconds, peakBytes: peakBytes(), indexBytes };
    await Deno.writeTextFile(figures, JSON.stringify(prepared));
    return prepared;
  }

  async search(query: string, limit: number): Promise<number[]> {
    await this.#write(`${fold(query)}\n`);
    const { value = "" } = await this.#lines.next();
    return value.split(" ").filter((dot: string) => dot !== "").map(Number).slice(0, limit);
  }

  async #feed(records: AsyncIterable<CarrierRecord>): Promise<void> {
    let lines: string[] = [];
    for await (
      const { dot, legal_name, dba_name = "", city = "", state = "", ...more } of records
    ) {
      const rank = (more.status === "A" ? 2 ** 32 : 0) + (more.power_units ?? 0);
      const states = [state, STATE_NAMES.get(state) ?? ""].map(fold).filter((it) => it !== "");
      const texts = [legal_name, dba_name, city].map(fold);
      lines.push([dot, rank, ...texts, states.join(" "), states.join(",")].join("\t"));
      if (lines.length < LINES_A_WRITE) continue;
      await this.#write(`${lines.join("\n")}\n`);
      lines = [];
    }
    await this.#write(`${[...lines, "", ""].join("\n")}`);
  }

  async #write(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(text));
  }
}

async function* linesOf(output: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
