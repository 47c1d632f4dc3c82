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

/** Throttles a server; `at` is called once when the current answer has sent `bytes`. */
function throttle({ behavior }: FileServer, bytes: number, at: () => void): void {
  let isCalled = false;
  behavior.onChunk = async (sent) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (isCalled || sent < bytes) return;
    isCalled = true;
    at();
  };
}

Deno.test("fetch never leaves a wrong whole file when killed at ten random moments", async () => {
  await using server = serveFile();
  await using inspections = serveFile({ body: csvBytes(3000, 9) });
  const dir = await Deno.makeTempDir();
  const path = `${dir}/company_census.csv`;
  const valid = new Set<string | undefined>([undefined]);
  let state = 20261008;
  const random = (): number =>
    (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  let version = 0;
  let killed = 0;
  let resumed = 0;

  function nextVersion(): void {
    version += 1;
    server.behavior.body = csvBytes(BYTES, version);
    server.behavior.etag = `"v${version}"`;
    valid.add(createHash("sha256").update(server.behavior.body).digest("hex"));
  }

  try {
    nextVersion();
    for (let round = 0; round < 10; round++) {
      server.requests.length = 0;
      const child = start(dir, { census: server, inspections });
      // Every third kill falls behind the last byte, where files are renamed and notes written
      const isLate = round % 3 === 2;
      const bytes = isLate ? 0 : Math.floor(random() * BYTES / 4);
      const delay = random() * 8;
      const kill = (): void => {
        try {
          child.kill("SIGKILL");
        } catch {
          // It came to its end first
        }
      };
      throttle(server, bytes, isLate ? () => {} : kill);
      if (isLate) server.behavior.onChunk = () => {};
      const late = isLate
        ? whenPartHas(BYTES, {
          part: `${path}.part`,
          child,
          then: () => setTimeout(kill, delay),
        })
        : undefined;
      const { code, signal } = await child.output();
      await late;
      if (signal === "SIGKILL") killed += 1;
      if (server.requests.some((headers) => headers.has("range"))) resumed += 1;

      const sum = await sha256(path);
      assert.ok(valid.has(sum), `round ${round} left a file of no version`);
      const note = await readSidecar(path);
      if (note !== undefined) assert.equal(note.sha256, sum);
      if (code === 0 || isLate) nextVersion();
    }
    server.behavior.onChunk = () => {};
    const { code } = await start(dir, { census: server, inspections }).output();
    assert.equal(code, 0);
    const expected = createHash("sha256").update(server.behavior.body).digest("hex");
    assert.equal(await sha256(path), expected);
    assert.equal((await readSidecar(path))?.sha256, expected);
    assert.ok(killed >= 6 && resumed >= 1, `killed ${killed}, resumed ${resumed}`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

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
