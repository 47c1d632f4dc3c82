/**
 * Reads an exported Parquet file with DuckDB, from disk and over HTTP, and with hyparquet over HTTP, and counts
 * requests and bytes: `deno run -A --no-lock test/bench/export.ts FILE`
 *
 * @module
 */

import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { print } from "../../pipeline/io.ts";
import { serve } from "../serve.ts";

/** A string instead of an import, so it is in no lock file: "deno task start" would fetch its 60 MB for everybody. */
const DUCKDB = "npm:@duckdb/node-api@1.5.5-r.5";
const { DuckDBInstance } = await import(DUCKDB);

const [path] = Deno.args as [string];
const bytes = await Deno.readFile(path);
const requests: number[] = [];
await using server = serve(({ method, headers }) => {
  const all = { "accept-ranges": "bytes", "content-length": String(bytes.length) };
  if (method === "HEAD") {
    requests.push(0);
    return new Response(null, { headers: all });
  }
  const [, from = "0", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  const end = to === "" ? bytes.length : Number(to) + 1;
  requests.push(end - Number(from));
  return new Response(bytes.slice(Number(from), end), {
    status: headers.has("range") ? 206 : 200,
    headers: { "content-range": `bytes ${from}-${end - 1}/${bytes.length}` },
  });
});

const connection = await (await DuckDBInstance.create(":memory:")).connect();
const QUERIES = [
  "SELECT legal_name, status, mcs150_date FROM t WHERE dot = 186000",
  "SELECT state, count(*), sum(power_units) FROM t WHERE status = 'A' GROUP BY state ORDER BY 2 DESC LIMIT 2",
  "SELECT count(*), min(dot), max(dot), count(mileage), max(mcs150_date) FROM t",
];
for (const file of [path, `${server.url}/carriers.parquet`]) {
  for (const query of QUERIES) {
    requests.length = 0;
    try {
      const found = await connection.runAndReadAll(query.replace(" t", ` '${file}'`));
      const sent = requests.reduce((sum, n) => sum + n, 0);
      const rows = found.getRowsJson();
      print(`${query} ${JSON.stringify(rows)} ${requests.length} requests, ${sent} bytes`);
    } catch (error) {
      print(`${query} ${String(error).slice(0, 200)}`);
    }
  }
}

const url = `${server.url}/carriers.parquet`;
for (
  const [what, options] of [
    ["one carrier, all columns", { filter: { dot: { $eq: 186000 } } }],
    ["one carrier, two columns", { columns: ["dot", "status"], filter: { dot: { $eq: 186000 } } }],
    ["all carriers, two columns", { columns: ["state", "power_units"] }],
  ] as const
) {
  requests.length = 0;
  const found = await parquetReadObjects({
    file: await asyncBufferFromUrl({ url }),
    compressors,
    ...options as object,
  });
  const sent = requests.reduce((sum, n) => sum + n, 0);
  print(
    `hyparquet, ${what}: ${found.length} rows, ${requests.length} requests, ${sent} bytes`,
  );
}
