import { understand } from "./api/ask/intents.ts";
import { read } from "./api/ask/entities.ts";
for (const q of Deno.args) { const r = read(q); console.log(r.tokens.map(t => t.kind[0] + ":" + (t.number ? t.number.role + "=" + t.number.value : t.text)).join(" | "), r.spans.map(s => s?.mark ?? "-").join(" "));
console.log(understand(q, [], "2026-10-05")); }
