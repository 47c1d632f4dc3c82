/** What no surface may say about a carrier with out-of-service orders, for any orders. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { OutOfServiceOrder } from "../../../pipeline/snapshot/record/record.ts";
import { post } from "../../mcp/service.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { type SiteApp, siteOf } from "../app.ts";
import { OURS, send } from "../bulk/uploads.ts";

/** The data date that `siteOf` serves. Its clock is 2 days later. */
const DATA = "2026-10-03";
const RECENT = "2024-10-05";

const OTHER = record(9999, { status: "I" });

function anyOrder(): fc.Arbitrary<OutOfServiceOrder> {
  const day = (min: number, max: number) =>
    fc.integer({ min, max }).map((days) => Temporal.PlainDate.from(DATA).add({ days }).toString());
  const reason = fc.constantFrom("", "Denial of Access", "ACTIVE ORDER <b>");
  return fc.oneof(
    fc.record({ date: day(-900, 0), reason }),
    fc.record({ date: day(-900, -30), rescinded: day(-30, 30), reason }),
    fc.record({ reason, unusable: fc.constant({ date: "2026-02-30", rescinded: "" }) }),
  );
}

/** Everything said about a carrier, by surface. */
async function surfacesOf(app: SiteApp, dot: number): Promise<Record<string, string>> {
  const textOf = async (path: string, init?: RequestInit): Promise<string> => {
    const response = await app.visit(path, init);
    assert.equal(response.status, 200, path);
    return (await response.text()).replaceAll(/\s+/g, " ").replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  };
  const paths = [
    `/carriers/${dot}`,
    `/carriers/${dot}/record`,
    `/carriers/${dot}/record.txt`,
    `/carriers/${dot}/record.json`,
    `/api/v1/carriers/${dot}`,
    `/compare?dot=${dot}&dot=${OTHER.dot}`,
    `/ask?query=${encodeURIComponent(`is USDOT ${dot} active`)}`,
    `/ask?query=${encodeURIComponent(`is ${dot} under an out-of-service order`)}`,
  ];
  const said: Record<string, string> = {};
  for (const path of paths) said[path] = await textOf(path);
  const list = await send(app, { text: `${dot}\n` });
  said.list = await textOf(list);
  said["list as CSV"] = await textOf(`${list}.csv`);
  said.batch = await textOf("/api/v1/carriers/batch", {
    method: "POST",
    headers: { ...OURS, "Content-Type": "application/json" },
    body: JSON.stringify({ dots: [String(dot)] }),
  });
  const call = { name: "lookup_carrier", arguments: { dot: String(dot) } };
  const request = post("modern", { method: "tools/call", params: call });
  said.MCP = await textOf("/mcp", {
    method: "POST",
    headers: request.headers,
    body: await request.text(),
  });
  return said;
}

Deno.test("on every surface an unrescinded order of the last 24 months is a problem, and no order is called active", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyOrder(), { minLength: 1, maxLength: 6 }), {
        minLength: 4,
        maxLength: 4,
      }),
      async (lists) => {
        const carriers = lists.map((orders, i) =>
          record(1000 + i, {
            orders: orders.toSorted((a, b) => (a.date ?? "") < (b.date ?? "") ? 1 : -1),
          })
        );
        const app = siteOf([...carriers, OTHER], { ordersDate: "2026-10-01" });
        for (const { dot, orders } of carriers) {
          const isProblem = orders!.some(({ date, rescinded = "9999" }) =>
            date !== undefined && date >= RECENT && rescinded > DATA
          );
          for (const [surface, text] of Object.entries(await surfacesOf(app, dot))) {
            const where = `${surface}: ${JSON.stringify(orders)}`;
            const own = text.replaceAll(/.ACTIVE ORDER <b>/g, "");
            assert.doesNotMatch(
              own,
              /active (?:out-of-service )?orders?\b|order (?:is|remains) (?:active|in effect)/i,
              where,
            );
            assert.doesNotMatch(text, /No issues found/, where);
            if (!isProblem) continue;
            assert.match(text, /no rescission recorded|rescission dated/i, where);
            // The answer to a question about orders quotes the file, and has no state of a check.
            if (!/under/.test(surface)) assert.match(text, /problem|"state":"bad"/i, where);
            assert.doesNotMatch(text, /"id":"usdot_status"[^}]*"state":"ok"/, where);
          }
        }
      },
    ),
    { numRuns: 6 },
  );
});
