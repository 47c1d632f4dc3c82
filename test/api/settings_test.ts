import assert from "node:assert/strict";
import { readSettings } from "../../api/settings.ts";

Deno.test("readSettings() has defaults, and takes an empty variable for none", () => {
  const defaults = { port: 8000, trustedProxyHops: 0 };
  assert.deepEqual(readSettings({}), defaults);
  assert.deepEqual(readSettings({ PORT: "", BASE_URL: " ", SNAPSHOT_URL: "" }), defaults);
});

Deno.test("readSettings() reads each setting and drops final slashes of BASE_URL", () => {
  const environment = {
    PORT: "0",
    BASE_URL: "https://carriers.example/x//",
    SNAPSHOT_URL: "./out",
    KV_PATH: "state/kv",
    TRUSTED_PROXY_HOPS: "2",
    RATE_LIMIT_STATE: "kv",
    OTHER: "x",
  };
  assert.deepEqual(readSettings(environment), {
    port: 0,
    baseUrl: "https://carriers.example/x",
    snapshotUrl: "./out",
    kvPath: "state/kv",
    trustedProxyHops: 2,
    rateLimitState: "kv",
  });
});

Deno.test("readSettings() names every variable it cannot use", () => {
  for (const PORT of ["x", "-1", "65536", "80.5", "0x50", "999999"]) {
    assert.throws(() => readSettings({ PORT }), { name: "RangeError", message: /PORT: / });
  }
  for (
    const BASE_URL of ["carriers.example", "ftp://a", "https://a?b", "https://a#b", "https://u:p@a"]
  ) {
    assert.throws(() => readSettings({ BASE_URL }), /BASE_URL: /);
  }
  for (const TRUSTED_PROXY_HOPS of ["-1", "10", "1.5", "all"]) {
    assert.throws(() => readSettings({ TRUSTED_PROXY_HOPS }), /TRUSTED_PROXY_HOPS: /);
  }
  assert.throws(() => readSettings({ RATE_LIMIT_STATE: "redis" }), /RATE_LIMIT_STATE: neither/);
  assert.throws(() => readSettings({ PORT: "x", BASE_URL: "y" }), /PORT: .*; BASE_URL: /);
});
