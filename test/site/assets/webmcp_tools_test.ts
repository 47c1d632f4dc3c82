import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { assetAt, assetPath } from "../../../site/assets/assets.ts";
import { PAGE_TOOLS, withTools } from "../../../site/assets/webmcp_tools.ts";

Deno.test("PAGE_TOOLS are the six named tools, with texts and hints", () => {
  const hints = PAGE_TOOLS.map(({ name, title, description, annotations }) => {
    assert.ok(title.length > 0 && description.length > 20, name);
    return [name, ...Object.entries(annotations).flatMap(([hint, is]) => is ? [hint] : [])];
  });
  assert.deepEqual(hints, [
    ["check_dot_number", "readOnlyHint", "untrustedContentHint"],
    ["search_carriers", "readOnlyHint", "untrustedContentHint"],
    ["mcs150_due_date", "readOnlyHint"],
    ["ucr_fee", "readOnlyHint"],
    ["get_pricing", "readOnlyHint"],
    // Navigation changes what the visitor sees.
    ["navigate_to_page"],
  ]);
});

Deno.test("PAGE_TOOLS accept the input of their operations, and open only pages of this site", () => {
  const inputs: Record<string, [accepted: unknown[], refused: unknown[]]> = {
    check_dot_number: [[{ dot_number: "00286764" }], [{ dot_number: "MC 1" }, { dot: "286764" }]],
    search_carriers: [[{ q: "acme", limit: 5 }], [{ q: "acme", explain: 1 }]],
    mcs150_due_date: [[{ dot: "1" }], [{}]],
    ucr_fee: [[{ vehicles: 4 }], [{ vehicles: -1 }]],
    get_pricing: [[{}], [{ plan: "free" }]],
    navigate_to_page: [
      ["/", "/bulk", "/about", "/carriers/286764"].map((path) => ({ path })),
      [
        ...["https://example.org/", "//example.org", "/\\example.org", "javascript:alert(1)"],
        ...["/bulk/../alerts", "/carriers/1\n", "/carriers/123456789", "/api/v1/carriers/1"],
        ...["", "/nothing"],
      ].map((path) => ({ path })),
    ],
  };
  for (const { name, inputSchema } of PAGE_TOOLS) {
    const accepts = new Ajv2020({ strict: false }).compile(inputSchema);
    const [accepted, refused] = inputs[name]!;
    for (const input of accepted) assert.ok(accepts(input), JSON.stringify(input));
    for (const input of refused) assert.ok(!accepts(input), JSON.stringify(input));
  }
});

Deno.test("withTools() inserts the tools into a script, and rejects one without a placeholder", () => {
  const script = withTools("const TOOLS = [/* TOOLS */];");
  const written = new Function(`${script} return TOOLS`)();
  assert.deepEqual(written, JSON.parse(JSON.stringify(PAGE_TOOLS)));
  const served = String(assetAt(assetPath("webmcp.js"))!.body);
  assert.ok(served.includes(JSON.stringify(PAGE_TOOLS)));
  assert.throws(() => withTools("const TOOLS = [];"), /lacks/);
});
