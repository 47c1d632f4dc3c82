/**
 * The peer Lucene 8: feeds and asks LucenePeer.java, which needs a JDK and Debian's `liblucene8-java`.
 *
 * @module
 */

import { PeerMissing } from "./harness.ts";
import type { BenchCarrier, Engine } from "./search_engine.ts";
import { fold, linesOf, NOISE } from "./search_text.ts";

const JARS = ["lucene-core", "lucene-analyzers-common"].map((name) =>
  `/usr/share/java/${name}-8.7.0.jar`
);
const PROGRAM = new URL("./LucenePeer.java", import.meta.url).pathname;
const LINES_A_WRITE = 10_000;

/** Lucene over an index in a folder, which is reused when an earlier run finished it. */
export class LuceneEngine implements Engine {
  readonly name = "Lucene 8.7";
  readonly #dir: string;
  #input!: WritableStreamDefaultWriter<Uint8Array>;
  #lines!: AsyncGenerator<string>;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws {PeerMissing} Where Java or Lucene is missing. */
  async prepare(carriers: () => AsyncIterable<BenchCarrier>): Promise<number> {
    for (const jar of JARS) {
      const isThere = await Deno.stat(jar).then(() => true, () => false);
      if (!isThere) throw new PeerMissing(`there is no ${jar} (Debian's liblucene8-java)`);
    }
    const isKept = await Deno.stat(`${this.#dir}.done`).then(() => true, () => false);
    if (!isKept) await Deno.remove(this.#dir, { recursive: true }).catch(() => {});
    let child: Deno.ChildProcess;
    try {
      child = new Deno.Command("java", {
        args: ["-Xmx4g", "-cp", JARS.join(":"), PROGRAM, this.#dir, [...NOISE].join(" ")],
        stdin: "piped",
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
    } catch {
      throw new PeerMissing("there is no java (a JDK of 11 or newer)");
    }
    child.unref();
    this.#input = child.stdin.getWriter();
    this.#lines = linesOf(child.stdout);
    if (!isKept) await this.#feed(carriers());
    if ((await this.#lines.next()).value !== "ready") throw new Error("Lucene did not start");
    await Deno.writeTextFile(`${this.#dir}.done`, "");
    let bytes = 0;
    for await (const { name } of Deno.readDir(this.#dir)) {
      bytes += (await Deno.stat(`${this.#dir}/${name}`)).size;
    }
    return bytes;
  }

  async search(query: string, limit: number): Promise<number[]> {
    await this.#write(`${fold(query)}\n`);
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
      await this.#write(`${lines.join("\n")}\n`);
      lines = [];
    }
    await this.#write([...lines, "", ""].join("\n"));
  }

  async #write(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(text));
  }
}
