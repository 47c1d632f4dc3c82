import assert from "node:assert/strict";
import { mailsAlerts, readSettings } from "../../api/settings.ts";

Deno.test("readSettings() has defaults, and treats an empty variable as unset", () => {
  const defaults = {
    PORT: 8000,
    CACHE_MB: 128,
    DENO_TIMELINE: "production",
    TRUSTED_PROXY_HOPS: 0,
    SHARED_CACHE: false,
    VERIFY_SHARDS: false,
  };
  assert.deepEqual(readSettings({}), defaults);
  assert.deepEqual(readSettings({ PORT: "", BASE_URL: " ", SNAPSHOT_URL: "" }), defaults);
});

Deno.test("readSettings() reads each setting and removes trailing slashes from BASE_URL", () => {
  const texts = {
    HOST: "::1",
    SNAPSHOT_URL: "./out",
    KV_PATH: "https://kv.example/store",
    DENO_KV_ACCESS_TOKEN: "t0ken",
    DENO_TIMELINE: "git-branch/fix",
    RATE_LIMIT_STATE: "kv",
    LOG: "off",
    SMTP_URL: "smtps://alerts:s3cret@mail.example",
  };
  const others: Record<string, [text: string, value: unknown]> = {
    PORT: ["0", 0],
    CACHE_MB: ["32", 32],
    BASE_URL: ["https://carriers.example//", "https://carriers.example"],
    TRUSTED_PROXY_HOPS: ["2", 2],
    SHARED_CACHE: ["on", true],
    VERIFY_SHARDS: ["on", true],
    MAIL_FROM: ["Carriers <a@carriers.example>", {
      name: "Carriers",
      address: "a@carriers.example",
    }],
  };
  const column = (at: 0 | 1) =>
    Object.fromEntries(Object.entries(others).map(([name, pair]) => [name, pair[at]]));
  const environment = { ...texts, ...column(0) as Record<string, string>, OTHER: "x" };
  assert.deepEqual(readSettings(environment), { ...texts, ...column(1) });
});

Deno.test("readSettings() names every variable that is invalid", () => {
  const wrong: Record<string, string[]> = {
    PORT: ["x", "-1", "65536", "80.5", "0x50", "999999"],
    BASE_URL: ["carriers.example", "ftp://a", "https://a?b", "https://a#b", "https://u:p@a"],
    "HOST: not an IP address": ["carriers.example", "1.2.3", "127.0.0.1:80", "[::1]"],
    CACHE_MB: ["7", "-1", "64MB", "1.5"],
    "KV_PATH: neither a file nor": [
      "ftp://kv.example",
      "http://kv.example",
      "https://u:p@kv.example",
    ],
    "KV_PATH: .*DENO_KV_ACCESS_TOKEN": ["https://kv.example", "http://127.0.0.1:4512"],
    TRUSTED_PROXY_HOPS: ["-1", "10", "1.5", "all"],
    "SHARED_CACHE: neither": ["yes"],
    "RATE_LIMIT_STATE: neither": ["redis"],
    // The service answers only at the root: links below a path would be dead.
    "BASE_URL: .*without.*path": ["https://a/carriers"],
  };
  for (const [says, values] of Object.entries(wrong)) {
    const [name] = says.split(":") as [string];
    const message = new RegExp(name === says ? `${name}: ` : says);
    for (const value of values) {
      assert.throws(() => readSettings({ [name]: value }), { name: "RangeError", message });
    }
  }
  assert.throws(() => readSettings({ PORT: "x", BASE_URL: "y" }), /PORT: .*; BASE_URL: /);
});

Deno.test("readSettings() requires everything that email needs, and never prints a password", () => {
  const whole = {
    SMTP_URL: "smtp://alerts:s3cret@mail.example:587",
    MAIL_FROM: "alerts@carriers.example",
    BASE_URL: "https://carriers.example",
  };
  assert.equal(readSettings(whole).SMTP_URL, whole.SMTP_URL);
  assert.equal(readSettings({ MAIL_FROM: whole.MAIL_FROM }).SMTP_URL, undefined);
  const urls = ["http://alerts:s3cret@mail.example", "smtp://", "s3cret"];
  const wrong = [{ MAIL_FROM: "" }, { BASE_URL: "" }, ...urls.map((SMTP_URL) => ({ SMTP_URL }))];
  for (const more of wrong) {
    const message = /^Cannot use settings: SMTP_URL: (?!.*s3c)/;
    assert.throws(() => readSettings({ ...whole, ...more }), { message });
  }
  assert.throws(() => readSettings({ ...whole, MAIL_FROM: "alerts" }), /MAIL_FROM: not an email/);
});

Deno.test("mailsAlerts() is true with a mail server; on Deno Deploy only in production", () => {
  const mail = { SMTP_URL: "smtp://mail.example", MAIL_FROM: "a@b.example", BASE_URL: "https://b" };
  const on = (more: Record<string, string>): boolean => mailsAlerts(readSettings({ ...more }));
  assert.equal(on(mail), true);
  assert.equal(on({}), false);
  assert.equal(on({ ...mail, DENO_TIMELINE: "production" }), true);
  for (const DENO_TIMELINE of ["git-branch/main", "preview/1a2b3c", "staging"]) {
    assert.equal(on({ ...mail, DENO_TIMELINE }), false);
  }
});
