import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { PAGE_TOOLS, withTools } from "../../../site/assets/webmcp_tools.ts";

function accepts(name: string, input: unknown): boolean {
  const tool = PAGE_TOOLS.find((tool) => tool.name === name)!;
  return new Ajv2020({ strict: false }).compile(tool.inputSchema)(input);
}

Deno.test("PAGE_TOOLS are the six named ones, with texts and hints", () => {
  assert.deepEqual(PAGE_TOOLS.map(({ name }) => name), [
    "check_dot_number",
    "search_carriers",
    "mcs150_due_date",
    "ucr_fee",
    "get_pricing",
    "navigate_to_page",
  ]);
  for (const { name, title, description, annotations } of PAGE_TOOLS) {
    assert.ok(title.length > 0 && description.length > 20, name);
    // Going somewhere else changes what the visitor sees.
    assert.equal(annotations.readOnlyHint, name !== "navigate_to_page", name);
    const named = ["check_dot_number", "search_carriers"].includes(name);
    assert.equal(annotations.untrustedContentHint, named, name);
  }
});

Deno.test("PAGE_TOOLS take what their operations take", () => {
  assert.ok(accepts("check_dot_number", { dot_number: "00286764" }));
  assert.ok(!accepts("check_dot_number", { dot_number: "MC 1" }));
  assert.ok(!accepts("check_dot_number", { dot: "286764" }));
  assert.ok(accepts("search_carriers", { q: "acme", limit: 5 }));
  assert.ok(!accepts("search_carriers", { q: "acme", explain: 1 }));
  assert.ok(accepts("mcs150_due_date", { dot: "1" }));
  assert.ok(accepts("ucr_fee", { vehicles: 4 }) && !accepts("ucr_fee", { vehicles: -1 }));
  assert.ok(accepts("get_pricing", {}));
});

Deno.test("navigate_to_page takes listed pages of this site only", () => {
  const goes = (path: unknown): boolean => accepts("navigate_to_page", { path });
  for (const path of ["/", "/bulk", "/about", "/carriers/286764"]) assert.ok(goes(path), path);
  const elsewhere = [
    "https://example.org/",
    "//example.org",
    "/\\example.org",
    "javascript:alert(1)",
  ];
  const here = ["/bulk/../alerts", "/carriers/1\n", "/carriers/123456789", "/api/v1/carriers/1"];
  for (const path of [...elsewhere, ...here, "", "/nothing"]) assert.ok(!goes(path), path);
});

Deno.test("withTools() writes the tools into a script, and refuses one that has no place for them", () => {
  const script = withTools("const TOOLS = [/* TOOLS */];");
  assert.deepEqual(
    new Function(`${script} return TOOLS`)(),
    JSON.parse(JSON.stringify(PAGE_TOOLS)),
  );
  assert.throws(() => withTools("const TOOLS = [];"), /lacks/);
});
