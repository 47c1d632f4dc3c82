import assert from "node:assert/strict";
import { command, MAIN, ROOT, withSnapshot } from "./run_main.ts";

const RECORDER = `${ROOT}test/record_starts.ts`;
const CRON = { cron: "send alerts", schedule: "*/5 * * * *" };
const MAIL = {
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "alerts@carriers.example",
  BASE_URL: "https://carriers.example",
  LOG: "json",
};

/** Runs Deno with the recorder preloaded. Returns the recorded calls and the log. */
async function recorded(args: string[], env: Record<string, string>) {
  const preload = ["run", "-A", "--no-check", `--preload=${RECORDER}`];
  const { code, stdout, stderr } = await command([...preload, ...args], env).output();
  const [out, log] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(code, 0, log);
  const lines = out!.split("\n").filter((line) => line.startsWith("{"));
  return { calls: lines.map((line) => JSON.parse(line)), log: log! };
}

/** Writes a program that imports main.ts as a host does, and runs it. */
async function imported(program: string, env: Record<string, string>) {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    const load = `const { default: service } = await import(${JSON.stringify(`file://${MAIN}`)});`;
    await Deno.writeTextFile(file, `${load}\n${program}\nDeno.exit(0);\n`);
    return await recorded([`--config=${ROOT}deno.json`, file], env);
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("main registers its cron once, before the server starts, with mail settings and without", async () => {
  await withSnapshot(async (SNAPSHOT_URL) => {
    const ways: [args: string[], env: Record<string, string>][] = [
      [[MAIN], { SNAPSHOT_URL }],
      [[MAIN], { SNAPSHOT_URL, ...MAIL }],
      [[MAIN], { SNAPSHOT_URL, ...MAIL, DENO_TIMELINE: "git-branch/fix" }],
      [[MAIN, "--sample"], {}],
    ];
    for (const [args, env] of ways) {
      const { calls } = await recorded(args, { PORT: "0", ...env });
      assert.deepEqual(calls, [CRON, { serve: true }]);
    }
  });
});

Deno.test("a module that imports main registers the cron on import, without a request or settings", async () => {
  assert.deepEqual((await imported("", {})).calls, [CRON]);
  assert.deepEqual((await imported("", { PORT: "not a port" })).calls, [CRON]);
});

Deno.test("the cron sends alerts in production only, and doesn't open the store when alerts are off", async () => {
  await withSnapshot(async (SNAPSHOT_URL) => {
    const folder = await Deno.makeTempDir();
    const KV_PATH = `${folder}/state/kv.sqlite`;
    const fires = "for (const fire of crons) await fire();";
    const run = async (env: Record<string, string>) =>
      (await imported(fires, { SNAPSHOT_URL, KV_PATH, ...env })).log;
    const exists = () => Deno.stat(KV_PATH).then(() => true, () => false);
    try {
      assert.equal(await run({ LOG: "json" }), "");
      assert.equal(await run({ ...MAIL, DENO_TIMELINE: "preview/1a2b3c" }), "");
      assert.equal(await exists(), false);
      assert.match(await run({ ...MAIL, DENO_TIMELINE: "production" }), /Alerts of .* on a: 0 sub/);
      assert.match(await run({ ...MAIL, KV_PATH: ":memory:" }), /Alerts of .* on a: 0 sub/);
      assert.equal(await exists(), true);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
