import { SnapshotReader } from "./pipeline/snapshot/reader.ts";
import { openSource } from "./pipeline/snapshot/open_source.ts";
import { planCountry } from "./pipeline/sample/country.ts";
import { carrierNames, carrierPlace } from "./pipeline/sample/carrier.ts";
const n = Number(Deno.args[1]);
const country = planCountry({ carriers: n, inspections: 1000 });
const reader = new SnapshotReader(openSource(Deno.args[0]), { clock: { now: () => Date.UTC(2026, 9, 4, 16) } });
await reader.use(s => s.search("zz", { limit: 1 }));
for (const [label, mk] of [["exact", (s: string) => s], ["exact+word", (s: string) => s + " rating"], ["exact+2", (s: string) => "safety " + s + " active"]] as const)
for (const limit of [1, 6, 20, 50]) {
  const t: number[] = [];
  for (let pass = 0; pass < 2; pass++) { t.length = 0;
  for (let k = 0; k < 400; k++) {
    const i = Math.floor(k * n / 400);
    const nm = mk(carrierNames(country, i, carrierPlace(country, i)).legal).split(/\s+/).slice(0, 12).join(" ");
    const b = performance.now();
    await reader.use(s => s.search(nm, { limit })).catch(() => {});
    t.push(performance.now() - b);
  } }
  t.sort((a, b) => a - b);
  console.log(label, limit, "p50", t[200]!.toFixed(2), "p95", t[380]!.toFixed(2), "max", t.at(-1)!.toFixed(1));
}
