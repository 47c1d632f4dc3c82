import { collect } from "/work/wt/ask/api/ask/http.ts";
import { SnapshotReader } from "/work/wt/ask/pipeline/snapshot/reader.ts";
import { openSource } from "/work/wt/ask/pipeline/snapshot/open_source.ts";
import { planCountry } from "/work/wt/ask/pipeline/sample/country.ts";
import { carrierFacts, carrierNames, carrierPlace } from "/work/wt/ask/pipeline/sample/carrier.ts";
import { dotOf } from "/work/wt/ask/pipeline/sample/country.ts";
const n = Number(Deno.args[1]);
const country = planCountry({ carriers: n, inspections: 1000 });
const reader = new SnapshotReader(openSource(Deno.args[0]), { clock: { now: () => Date.UTC(2026, 9, 4, 16) } });
const deps = { reader, clock: { now: () => Date.UTC(2026, 9, 4, 16) }, baseUrl: "https://x.example", log: console.log };
const T = ["is {} active", "what is the safety rating of {}", "when is the MCS-150 of {} due", "{} oos rate", "how many trucks does {} have", "where is {} based", "{}", "has {} filed its mcs-150", "MC number of {}", "does {} have any violations"];
const times: number[] = [];
const tally: Record<string, number> = {};
const names = new Map<string, number>();
for (let i = 0; i < n; i++) { const nm = carrierNames(country, i, carrierPlace(country, i)).legal.replace(/\s+/g, " "); names.set(nm, (names.get(nm) ?? 0) + 1); }
let shown = 0;
for (let k = 0; k < 3000; k++) {
  const i = Math.floor(k * n / 3000);
  const nm = carrierNames(country, i, carrierPlace(country, i)).legal.replace(/\s+/g, " ");
  if (names.get(nm) !== 1) continue;
  const dot = String(dotOf(country, i));
  const t = T[k % T.length]!;
  const q = t.replace("{}", k % 3 === 0 ? nm.toLowerCase() : nm);
  const b = performance.now();
  const r: any = await collect({ query: q, prev: [] }, deps);
  times.push(performance.now() - b);
  let v: string = r._meta.response_type;
  if (v === "answer") v = r.results.some((x: any) => x.identifier === `USDOT ${dot}`) ? "self" : "OTHER";
  else if (v === "elicitation") v = (r.elicitation.questions[0].options ?? []).some((o: string) => o.includes(`(USDOT ${dot},`)) ? "among" : "ask:" + r.elicitation.questions[0].id;
  else v = r.error.code;
  tally[v] = (tally[v] ?? 0) + 1;
  if (v !== "self" && v !== "among" && shown++ < 40) console.log(v, q, dot, JSON.stringify(r.error?.message ?? r.elicitation?.text ?? r.results?.[0]?.description).slice(0, 200));
}
times.sort((a, b) => a - b);
console.log(tally, "p50", times[times.length >> 1], "p95", times[Math.floor(times.length * .95)], "max", times.at(-1), times.length);
