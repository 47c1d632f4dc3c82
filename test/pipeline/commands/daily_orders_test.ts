/** The daily run with the file of out-of-service orders, which never stops the run. */

import assert from "node:assert/strict";
import { ends } from "./snapshot_root.ts";
import { dayFile, startUpstream, type Upstream } from "./upstream.ts";

/** The root's current manifest. */
async function manifestOf({ out, pointer }: Upstream) {
  const { snapshot } = JSON.parse(await pointer());
  return JSON.parse(await Deno.readTextFile(`${out}/s/${snapshot}/manifest.json`));
}

/** Removes the file of orders from the server. */
function removeOrders({ orders }: Upstream): void {
  orders.behavior.instead = Array.from(
    { length: 3 },
    () => () => new Response(null, { status: 404 }),
  );
}

Deno.test("daily includes orders, and continues without an orders file that is missing or refused", async () => {
  await using upstream = await startUpstream();
  const { dir } = upstream;
  const given = {
    orders: upstream.orders.url,
    summary: `${dir}/summary.md`,
    target: `${dir}/public`,
  };
  const summary = () => Deno.readTextFile(given.summary);
  upstream.serveDay(0);
  assert.match(
    await upstream.daily(given),
    /^Built .*, out-of-service orders to 202\d-\d\d-\d\d\. /,
  );
  assert.ok((await manifestOf(upstream)).orders_date !== undefined);
  assert.match(await summary(), /^ {2}Out-of-service orders +\d+ /m);
  assert.match(await upstream.daily(given), /^Unchanged: /);
  // A missing orders file alone causes no new build.
  removeOrders(upstream);
  assert.match(await upstream.daily(given), /^Unchanged: /);

  upstream.serveDay(1);
  removeOrders(upstream);
  const none =
    /^Built .*, out-of-service orders are not included: there was no file\. .* is current/;
  assert.match(await upstream.daily(given), none);
  assert.equal((await manifestOf(upstream)).orders, "missing");
  assert.match(await summary(), /not included: there was no file/);
  const status = await ends(0, "status", given.target);
  assert.match(status.out, /^orders +out-of-service orders are not included: there was no file$/m);
  // Now there is a file.
  upstream.orders.behavior.instead = [];
  assert.match(
    await upstream.daily(given),
    /^Built .*, out-of-service orders to 202\d-\d\d-\d\d\. /,
  );

  upstream.serveDay(2);
  upstream.serve("orders", dayFile("orders", 0).split("\n").slice(0, 30).join("\n") + "\n", 2);
  assert.match(await upstream.daily(given), /^Built .* not included: the file broke a bound\. /);
  assert.equal((await manifestOf(upstream)).orders, "refused");
  assert.match(await summary(), /^ {2}orders rows .* file left out$/m);
  assert.match(await upstream.daily(given), /^Unchanged: /);
  assert.match(await upstream.daily({ ...given, force: "the census is right" }), /^Unchanged: /);
  // On the same day, with the same files.
  assert.match(
    await upstream.daily({ ...given, forceOrders: "FMCSA removed orders" }),
    /^Built .*, out-of-service orders to 202\d-\d\d-\d\d\. .* is current/,
  );
  assert.equal((await manifestOf(upstream)).forced, "orders: FMCSA removed orders");

  upstream.serveDay(3);
  upstream.serve("orders", dayFile("census", 3), 3);
  assert.match(
    await upstream.daily(given),
    /^Built .* not included: the file could not be read\. /,
  );
  assert.match(await upstream.daily(given), /^Unchanged: /);
  await ends(0, "verify", given.target);
});

Deno.test("fetch and build accept orders, and fetch reports orders that it cannot fetch", async () => {
  await using upstream = await startUpstream();
  upstream.serveDay(0);
  const { dir, out, census, inspections, orders } = upstream;
  const to = `${dir}/data`;
  const args = ["fetch", "--census", census.url, "--inspections", inspections.url, "--to", to];
  const fetched = await ends(0, ...args, "--orders", orders.url);
  assert.match(fetched.out, /out_of_service_orders\.csv: fetched, /);
  orders.behavior.instead = [() => new Response(null, { status: 404 })];
  const failed = await ends(1, ...args, "--orders", orders.url);
  assert.match(failed.out, /vehicle_inspection\.csv: unchanged/);
  assert.match(failed.err, /HTTP 404/);
  const files = [
    "--census",
    `${to}/company_census.csv`,
    "--inspections",
    `${to}/vehicle_inspection.csv`,
  ];
  const build = ["build", ...files, "--out", out, "--first", "--data-date", "2026-10-03"];
  const typo = await ends(1, ...build, "--orders", `${to}/none.csv`);
  assert.match(typo.err, /Cannot read .*none\.csv: there is no such file/);
  await ends(0, ...build, "--orders", `${to}/out_of_service_orders.csv`);
  const { out: text } = await ends(0, "report", out);
  assert.match(text, /^Orders: out-of-service orders to 202\d-\d\d-\d\d$/m);
  assert.match(text, /orders newest +\d+ days +at most \d+ days +passed/);
  assert.match(await Deno.readTextFile(`${out}/report.html`), /Out-of-service orders: problems/);
  await ends(0, "verify", out);
});
