import assert from "node:assert/strict";
import { planCountry } from "./plan.ts";
import { main, writeCountry } from "./gen.ts";
import { fileText } from "./parse.ts";

const COUNTRY = planCountry({ carriers: 200, inspections: 300, seed: 4 });

async function inFolder(run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await run(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function names(dir: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name).sort();
}

Deno.test("writeCountry() writes both files, whole, under their names", async () => {
  await inFolder(async (dir) => {
    const written = await writeCountry(COUNTRY, `${dir}/new/folder`);
    for (const role of ["census", "inspections"] as const) {
      const text = fileText(COUNTRY, role);
      assert.equal(await Deno.readTextFile(written[role].path), text);
      assert.equal(written[role].bytes, new TextEncoder().encode(text).length);
    }
    assert.equal(written.census.rows, 200);
    assert.deepEqual(await names(`${dir}/new/folder`), [
      "company_census.csv",
      "vehicle_inspection.csv",
    ]);
  });
});

Deno.test("writeCountry() leaves nothing and says why when a file cannot be written", async () => {
  await inFolder(async (dir) => {
    await Deno.mkdir(`${dir}/vehicle_inspection.csv.part/in_the_way`, { recursive: true });
    await assert.rejects(
      writeCountry(COUNTRY, dir),
      /Cannot write .*vehicle_inspection\.csv\.part/,
    );
    assert.ok(!(await names(dir)).some((name) => name.endsWith(".csv")));
  });
});

Deno.test("writeCountry() leaves no part of a file when it is interrupted", async () => {
  await inFolder(async (dir) => {
    const large = planCountry({ carriers: 400_000, inspections: 400_000 });
    const stop = new AbortController();
    const onProgress = (): void => stop.abort(new Error("Interrupted"));
    await assert.rejects(
      writeCountry(large, dir, { onProgress, signal: stop.signal }),
      /Interrupted/,
    );
    assert.deepEqual(await names(dir), []);
  });
});

Deno.test("main() tells wrong arguments from help", async () => {
  const cli = new URL("./gen.ts", import.meta.url).href;
  const run = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const command = new Deno.Command(Deno.execPath(), { args: ["run", "-A", cli, ...args] });
    const { code, stdout, stderr } = await command.output();
    return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
  };
  const help = await run("--help");
  assert.equal(help.code, 0);
  assert.match(help.out, /--inspections <n>[\s\S]*Examples:/);
  const missing = await run("--carriers", "5");
  assert.equal(missing.code, 2);
  assert.match(missing.err, /--inspections/);
  const wrong = await run("--carriers", "5x", "--inspections", "5", "--out", "x");
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /5x/);
});

Deno.test("main() answers 2 when an option is out of range", async () => {
  await inFolder(async (dir) => {
    const common = ["--inspections", "5", "--out", dir];
    assert.equal(await main(["--carriers", "0", ...common]), 2);
    assert.equal(await main(["--carriers", "5", "--data-date", "2026-13-01", ...common]), 2);
    assert.deepEqual(await names(dir), []);
  });
});
