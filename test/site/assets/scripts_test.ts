import assert from "node:assert/strict";

const ASSETS = new URL("../../../site/assets/", import.meta.url).pathname;

Deno.test("the scripts of pages type-check for a browser", async () => {
  const scripts = [];
  for await (const { name } of Deno.readDir(ASSETS)) {
    if (name.endsWith(".js")) scripts.push(ASSETS + name);
  }
  assert.ok(scripts.length > 0);
  // Their types are a browser's, not Deno's, so they are checked separately.
  const config = new URL("scripts.json", import.meta.url).pathname;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--no-lock", "--config", config, ...scripts],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
});
