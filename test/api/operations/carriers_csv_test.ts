import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { CSV_COLUMNS } from "../../../api/operations/carriers_csv.ts";
import { type Objects, record } from "../../pipeline/snapshot/memory.ts";
import { putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { call, surfaceOver, testApp, testService } from "../http/service.ts";

const PATH = "/api/v1/carriers.csv";

type Line = Record<string, string>;

async function lines(app: Parameters<typeof call>[0], query: string): Promise<Line[]> {
  const { status, text } = await call(app, `${PATH}?${query}`);
  assert.equal(status, 200, text);
  return parse(text, { columns: true });
}

Deno.test("carriers.csv has one line per number in request order, with the number as sent", async () => {
  const { app } = testService();
  const dots = "00146793, MC-186800,,ff 77,DOT 295017\n295017,mc143229,";
  const found = await lines(app, `dots=${encodeURIComponent(dots)}`);
  assert.deepEqual(found.map(({ asked, dot, other_dots }) => [asked, dot, other_dots]), [
    ["00146793", "146793", ""],
    ["MC-186800", "295017", ""],
    ["ff 77", "295017", ""],
    ["DOT 295017", "295017", ""],
    ["295017", "295017", ""],
    ["mc143229", "146793", "295017"],
  ]);
  const { name, power_units, verdict, findings, safer_url } = found[1]!;
  assert.deepEqual([name, power_units], ["SOME CARRIER", "4"]);
  assert.equal(verdict, "No issues found; 3 of 6 checks have no data");
  assert.equal(findings, "");
  assert.match(safer_url!, /295017/);
  const { result, ...shared } = found[5]!;
  assert.equal(result, "Review");
  assert.match(shared.verdict!, /^MC 143229 is shared by 2 USDOT numbers/);
  assert.match(shared.findings!, /Review: MC 143229 is shared by 2 USDOT numbers/);
  assert.deepEqual(Object.keys(found[0]!), CSV_COLUMNS.map(([name]) => name));
});

Deno.test("carriers.csv says why a number has no carrier, and answers the others", async () => {
  const { app, objects } = testService();
  const found = await lines(app, "dots=0,77,MC-5,186800x,MC,=1%2B1,123456789,295017");
  assert.deepEqual(found.map(({ asked, dot, result, verdict }) => [asked, dot, result, verdict]), [
    ["0", "", "Needs fixing", "Cannot parse USDOT number 0: numbers start at 1"],
    ["77", "77", "Not found", found[1]!.verdict],
    ["MC-5", "", "Not found", "No carrier in the data lists MC 5"],
    [
      "186800x",
      "",
      "Needs fixing",
      "Cannot parse USDOT number 186800x: not a digit at position 7",
    ],
    ["MC", "", "Needs fixing", "Cannot parse MC number MC: it has no digits"],
    ["'=1+1", "", "Needs fixing", `Cannot parse USDOT number "=1+1": not a digit at position 1`],
    [
      "123456789",
      "",
      "Needs fixing",
      "Cannot parse USDOT number 123456789: 9 digits, at most 8 allowed",
    ],
    ["295017", "295017", "No issues", "No issues found; 3 of 6 checks have no data"],
  ]);
  assert.match(found[1]!.verdict!, /^Cannot find USDOT number 77/);
  const shard = [...objects.keys()].find((path) => path.endsWith("/carriers/1467.json.gz"))!;
  objects.delete(shard);
  const partly = await lines(testServiceOver(objects), "dots=146793,295017");
  assert.deepEqual(partly.map(({ result }) => result), ["Data unavailable", "No issues"]);
});

function testServiceOver(objects: Objects) {
  const { deps, source } = surfaceOver(objects);
  return testApp({ ...deps, source }).app;
}

Deno.test("carriers.csv rejects an invalid list as other operations do", async () => {
  const { app } = testService();
  const many = (count: number): string => Array(count).fill("295017").join(",");
  assert.equal((await lines(app, `dots=${many(100)}`)).length, 100);
  for (
    const [query, code] of [
      ["", "invalid_query"],
      ["dots=", "invalid_query"],
      ["dots=%20,%20", "invalid_query"],
      ["dots=1&dots=2", "invalid_query"],
      [`dots=${many(101)}`, "too_many_items"],
      ["dots=1&as_of=yesterday", "invalid_query"],
      ["dots=1&as_of=2099-01-01", "invalid_query"],
      ["dots=1&as_of=2020-01-01", "not_found"],
    ]
  ) {
    const { body } = await call(app, `${PATH}?${query}`);
    assert.equal(body.error.code, code, query);
  }
  const { status } = await call(app, `${PATH}?dots=1`, { method: "POST" });
  assert.equal(status, 405);
});

Deno.test("carriers.csv counts as one request and answers from one snapshot, named in its headers", async () => {
  const { app } = testService();
  const peer = "192.0.2.9";
  const { headers } = await call(app, `${PATH}?dots=295017,146793`, { peer });
  assert.equal(headers.get("ratelimit-remaining"), "59");
  assert.equal(headers.get("snapshot-id"), "a");
  assert.match(headers.get("content-type")!, /^text\/csv; charset=utf-8/);
  const head = await call(app, `${PATH}?dots=295017`, { peer, method: "HEAD" });
  assert.equal(head.status, 200);
});

Deno.test("carriers.csv answers as of a past day", async () => {
  const objects: Objects = new Map();
  putChain(objects, [
    { dataDate: "2026-10-01", carriers: [record(5, { power_units: 3 })] },
    { dataDate: "2026-10-03", carriers: [record(5, { power_units: 8 })] },
  ]);
  const app = testServiceOver(objects);
  const units = async (query: string): Promise<unknown> => {
    const [line] = await lines(app, `dots=5${query}`);
    return [line!.power_units, line!.census_date];
  };
  assert.deepEqual(await units(""), ["8", "2026-10-03"]);
  assert.deepEqual(await units("&as_of=2026-10-02"), ["3", "2026-10-01"]);
});
