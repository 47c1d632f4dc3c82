import assert from "node:assert/strict";
import { textAt } from "../api/discovery/texts.ts";

const DAY_MS = 86_400_000;

Deno.test("security.txt says where to report, and is renewed before it expires", async () => {
  const text = textAt("/.well-known/security.txt", "https://carriers.example");
  for (const field of ["Contact: https://", "Canonical: https://"]) {
    assert.ok(text.includes(field), field);
  }
  const left = Date.parse(/^Expires: (.+)$/m.exec(text)![1]!) - Date.now();
  assert.ok(
    left > 30 * DAY_MS,
    "renew Expires in api/discovery/text/security.txt: a month is left",
  );
  assert.ok(left < 366 * DAY_MS, "RFC 9116 recommends less than a year");
  // /about must say the same as SECURITY.md.
  assert.match(text, /^Contact: https:\/\/carriers\.example\/about#report-a-problem$/m);
  const about = await Deno.readTextFile(new URL("../site/content/about.md", import.meta.url));
  const [, section] = about.replaceAll(/\s+/g, " ").split("## Report a problem");
  const policy = await Deno.readTextFile(new URL("../SECURITY.md", import.meta.url));
  for (const heading of ["Supported versions", "Reporting", "In scope", "Out of scope"]) {
    assert.match(policy, new RegExp(`^## ${heading}$`, "m"));
  }
  const said = [
    '"Report a vulnerability" on the Security tab',
    "a reply within 7 days, and a fix or a date for one within 30",
  ];
  for (const way of said) {
    for (const page of [section!, policy.replaceAll(/\s+/g, " ")]) {
      assert.ok(page.includes(way), way);
    }
  }
});

Deno.test("the bill of materials lists every package in the lock file with its hash", async () => {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "sbom"],
    cwd: new URL("..", import.meta.url),
  }).output();
  assert.ok(success);
  const { bomFormat, components } = JSON.parse(new TextDecoder().decode(stdout));
  assert.equal(bomFormat, "CycloneDX");
  const lock = JSON.parse(await Deno.readTextFile(new URL("../deno.lock", import.meta.url)));
  assert.equal(components.length, Object.keys(lock.npm).length);
  for (const { purl, hashes } of components) {
    assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
    assert.match(hashes[0].content, /^[0-9a-f]{128}$/);
  }
});

Deno.test("tests run with the same packages as the service", async () => {
  const [runtime, all] = await Promise.all(
    ["../deno.lock", "deno.lock"].map(async (path) =>
      JSON.parse(await Deno.readTextFile(new URL(path, import.meta.url))).npm
    ),
  );
  for (const [name, { integrity }] of Object.entries<{ integrity: string }>(runtime)) {
    assert.equal(all[name]?.integrity, integrity, `${name}: run \`deno task --frozen=false lock\``);
  }
});
