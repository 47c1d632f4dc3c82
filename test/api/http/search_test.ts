import assert from "node:assert/strict";
import { ErrorBody } from "../../../api/operations/errors.ts";
import { SearchResults } from "../../../api/operations/search.ts";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { SnapshotReader } from "../../../pipeline/snapshot/reader.ts";
import { from, testApp } from "./service.ts";
import { buildFiles, censusCsv, censusRow, CLOCK, tempDir } from "../../pipeline/compile/files.ts";

const CENSUS = censusCsv([
  censusRow(1, { LEGAL_NAME: "BLUE RIVER TRUCKING LLC", PHY_CITY: "AKRON", PHY_STATE: "OH" }),
  censusRow(2, { LEGAL_NAME: "BLUE RIVER TRUCKING LLC", PHY_CITY: "DALLAS", PHY_STATE: "TX" }),
  censusRow(3, { LEGAL_NAME: "BLUE RIVER TRUCKING INC", STATUS_CODE: "I", POWER_UNITS: "" }),
  censusRow(4, { LEGAL_NAME: "<script>alert(1)</script>", DBA_NAME: "HOSTILE" }),
  ...Array.from({ length: 60 }, (_, i) => censusRow(100 + i, { LEGAL_NAME: `FLEET ${i} LLC` })),
]);

interface Searched {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- checked against its schema
  body: any;
}

async function withService(work: (get: (query: string) => Promise<Searched>) => Promise<void>) {
  await using dir = await tempDir();
  await buildFiles(dir.path, { census: CENSUS });
  const { app } = testApp({
    reader: new SnapshotReader(openSource(`${dir.path}/out`), { clock: CLOCK }),
    clock: CLOCK,
    baseUrl: "https://example.org",
  });
  await work(async (query) => {
    const response = await app.fetch(
      new Request(`https://example.org/api/v1/carriers${query}`),
      from(),
    );
    const body = await response.json();
    (response.status === 200 ? SearchResults : ErrorBody).parse(body);
    return { status: response.status, headers: response.headers, body };
  });
}

Deno.test("search() answers the likeliest first, from one named snapshot", async () => {
  await withService(async (get) => {
    const { status, headers, body } = await get("?q=blue%20river%20trucking%20dallas");
    assert.equal(status, 200);
    assert.equal(body.query, "blue river trucking dallas");
    assert.equal(body.count, body.results.length);
    assert.equal(headers.get("snapshot-id"), body.snapshot.id);
    const { dot, name, city, state, power_units, active, page_url } = body.results[0];
    assert.deepEqual({ dot, name, city, state, power_units, active, page_url }, {
      dot: "2",
      name: "BLUE RIVER TRUCKING LLC",
      city: "DALLAS",
      state: "TX",
      power_units: 5,
      active: true,
      page_url: "https://example.org/carriers/2",
    });
  });
});

Deno.test("search() puts active carriers before inactive ones that match as well", async () => {
  await withService(async (get) => {
    const { body } = await get("?q=blue+river");
    assert.deepEqual(body.results.map((result: { dot: string }) => result.dot), ["1", "2", "3"]);
  });
});

Deno.test("search() answers an empty list, not an error, when nothing is found", async () => {
  await withService(async (get) => {
    const { status, body } = await get("?q=zzyzx%20qwertyuiop");
    assert.deepEqual([status, body.count, body.results], [200, 0, []]);
  });
});

Deno.test("search() returns at most limit results, 25 unless asked", async () => {
  await withService(async (get) => {
    assert.equal((await get("?q=fleet")).body.count, 25);
    assert.equal((await get("?q=fleet&limit=50")).body.count, 50);
    assert.equal((await get("?q=llc&limit=3")).body.count, 3);
  });
});

Deno.test("search() explains a ranking only when asked", async () => {
  await withService(async (get) => {
    assert.equal((await get("?q=fleet&limit=1")).body.results[0].explain, undefined);
    assert.equal(
      typeof (await get("?q=fleet&limit=1&explain=1")).body.results[0].explain,
      "object",
    );
  });
});

Deno.test("search() finds a carrier by its number, with any prefix", async () => {
  await withService(async (get) => {
    for (const q of ["104", "usdot%20104", "DOT%23104", "00000104"]) {
      assert.equal((await get(`?q=${q}`)).body.results[0]?.dot, "104", q);
    }
  });
});

Deno.test("search() answers 400 invalid_query for what it cannot search", async () => {
  await withService(async (get) => {
    const long = "x".repeat(201);
    const words = Array(13).fill("ab").join("+");
    const bad = ["", "?q=", "?q=a", `?q=${long}`, `?q=${words}`, "?q=ab&q=cd", "?q=ab&limit=0"];
    for (const query of [...bad, "?q=ab&limit=51", "?q=ab&limit=x", "?q=ab&explain=2"]) {
      const { status, body } = await get(query);
      assert.deepEqual([status, body.error.code], [400, "invalid_query"], query);
    }
  });
});

Deno.test("search() returns hostile names as they are filed, as JSON", async () => {
  await withService(async (get) => {
    const { headers, body } = await get("?q=hostile");
    assert.equal(body.results[0].name, "<script>alert(1)</script>");
    assert.match(headers.get("content-type")!, /^application\/json/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
  });
});
