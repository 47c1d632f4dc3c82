import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { fetchBoth } from "../../../pipeline/fmcsa/download.ts";
import { readSidecar } from "../../../pipeline/fmcsa/part.ts";
import { csvBytes, type FileServer, serveFile } from "./file_server.ts";

const CHILD = fileURLToPath(new URL("./fetch_child.ts", import.meta.url));
const BYTES = 2_000_000;

interface Servers {
  census: FileServer;
  inspections: FileServer;
}

function start(
  dir: string,
  { census, inspections, killAt }: Servers & { killAt?: number },
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", CHILD, "fetch", "--to", dir],
      ...["--census", census.url, "--inspections", inspections.url],
    ],
    env: killAt === undefined ? {} : { KILL_AT: String(killAt) },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function sha256(path: string): Promise<string | undefined> {
  const bytes = await Deno.readFile(path).catch(() => undefined);
  return bytes && createHash("sha256").update(bytes).digest("hex");
}

/** Calls `then` when the part on disk has so many bytes, or had and is gone; or not at all. */
async function whenPartHas(
  bytes: number,
  { part, child, then }: { part: string; child: Deno.ChildProcess; then: () => void },
): Promise<void> {
  let isRunning = true;
  child.status.then(() => isRunning = false);
  let size = 0;
  while (isRunning && size < bytes) {
    size = await Deno.stat(part).then((info) => info.size, () => size > 0 ? bytes : 0);
  }
  if (isRunning) then();
}

Deno.test("fetch never leaves a wrong whole file when killed at any change to the disk", async () => {
  await using census = serveFile({ body: csvBytes(20_000, 1), chunkBytes: 8192 });
  await using inspections = serveFile({ body: csvBytes(3000, 9), etag: null });
  const old = csvBytes(20_000, 1);
  const dir = await Deno.makeTempDir();
  const path = `${dir}/company_census.csv`;
  const here = {
    censusUrl: census.url,
    inspectionsUrl: inspections.url,
    to: dir,
    progress: () => ({ update() {}, end() {} }),
    say: () => {},
  };
  const sum = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  try {
    let steps = 0;
    for (let code = -1; code !== 0; steps++) {
      // Each time from the old version, whole, to a new one
      Object.assign(census.behavior, { body: old, etag: '"old"' });
      await fetchBoth(here);
      Object.assign(census.behavior, { body: csvBytes(20_000, 2), etag: '"new"' });
      code = (await start(dir, { census, inspections, killAt: steps + 1 }).output()).code;
      const now = await sha256(path);
      assert.ok(now === sum(old) || now === sum(census.behavior.body), `wrong after step ${steps}`);
      const note = await readSidecar(path);
      if (note !== undefined) assert.equal(note.sha256, now, `wrong note after step ${steps}`);
      await fetchBoth(here);
      assert.equal(await sha256(path), sum(census.behavior.body));
      assert.equal((await readSidecar(path))?.sha256, sum(census.behavior.body));
    }
    assert.ok(steps > 15, `only ${steps} steps`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test({
  name: "fetch exits with 130, says how to resume and resumes when stopped by Ctrl-C",
  ignore: Deno.build.os === "windows", // No SIGINT to another process there
  async fn() {
    await using server = serveFile({ body: csvBytes(BYTES, 1) });
    await using inspections = serveFile({ body: csvBytes(3000, 9) });
    const dir = await Deno.makeTempDir();
    try {
      const child = start(dir, { census: server, inspections });
      const gate = Promise.withResolvers<void>();
      server.behavior.onChunk = (sent) => sent > BYTES / 2 ? gate.promise : undefined;
      await whenPartHas(BYTES / 4, {
        part: `${dir}/company_census.csv.part`,
        child,
        then: () => child.kill("SIGINT"),
      });
      const stopped = await child.output();
      gate.resolve();
      const text = new TextDecoder().decode(stopped.stderr);
      assert.equal(stopped.code, 130, text);
      assert.match(text, /Stopped: run the same command again/);
      assert.match(text, /^company_census\.csv: \d+%, \d\.\d of 2\.0 MB/m);
      assert.equal(inspections.requests.length, 0);

      server.behavior.onChunk = () => {};
      const again = await start(dir, { census: server, inspections }).output();
      assert.equal(again.code, 0);
      assert.match(server.requests[1]?.get("range") ?? "", /^bytes=\d+-$/);
      const out = new TextDecoder().decode(again.stdout);
      assert.match(out, /company_census\.csv: fetched, 2\.0 MB, sha256 [0-9a-f]{64}\n/);
      assert.match(out, /vehicle_inspection\.csv: fetched/);
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
});
