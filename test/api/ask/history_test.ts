import assert from "node:assert/strict";
import { collectAnswer } from "../../../api/ask/http.ts";
import type { Objects } from "../../pipeline/snapshot/memory.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { surfaceOver } from "../http/service.ts";

/** Questions on Oct 5, 2026, and the beginnings of their answers. */
const ASKED: Record<string, RegExp> = {
  "when did 286764 become inactive":
    /: Changes of USDOT status since Sep 30, 2026: Between Oct 1 and Oct 3, 2026: Status: active → inactive\. What changed before Sep 30, 2026 isn't known here\./,
  "has the address of 286764 changed":
    /: Changes of (?:location|address and phone) since Sep 30, 2026: Between Sep 30 and Oct 1, 2026: Street: changed/,
  "what changed at 286764 since October":
    /: Changes since Oct 1, 2026: Between Oct 1 and Oct 3, 2026: Status: active → inactive\. Between Sep 30 and Oct 1, 2026: Street: changed\.$/,
  "what changed at 286764 since 10/2/2026":
    /: Changes since Oct 2, 2026: Between Oct 1 and Oct 3, 2026: Status: active → inactive\.$/,
  "has 286764 changed its name": /: No change of name is listed since Sep 30, 2026\. What changed/,
  "any changes to DOT 286764 in the last 3 days":
    /: Changes since Oct 2, 2026: Between Oct 1 and Oct 3, 2026: Status: active → inactive\.$/,
  "was 286764 active on Oct 1, 2026": /^Read .* As of Oct 1, 2026: "ACME INC".* Yes/,
  "was 286764 active on 10/4": /^Read .* As of Oct 4, 2026: "ACME INC".* No/,
  "what was the status of DOT 286764 as of 2026-10-02": /^As of Oct 2, 2026: .*Listed active/,
  "was 286764 active on Mar 3, 2019":
    /^Cannot answer as of Mar 3, 2019: the first day kept is Sep 30, 2026/,
  "¿cuándo se puso inactivo el 286764?":
    /Changes of USDOT status since Sep 30, 2026: Between Oct 1 and Oct 3, 2026: Status: active → inactive\./,
  "ha cambiado la dirección de 286764":
    /Changes of .*Between Sep 30 and Oct 1, 2026: Street: changed/,
  "que cambio en DOT 286764 desde octubre":
    /Changes since Oct 1, 2026: Between Oct 1 and Oct 3, 2026/,
  "cambios de 286764 en los últimos 3 días":
    /Changes since Oct 2, 2026: Between Oct 1 and Oct 3, 2026: Status: active → inactive\.$/,
  "ha cambiado de nombre 286764": /No change of name is listed since Sep 30, 2026\./,
  "estaba activo 286764 el 1 de octubre de 2026": /As of Oct 1, 2026: "ACME INC".* Yes/,
  "cuál era el estado de DOT 286764 el 2 de octubre": /As of Oct 2, 2026: .*Listed active/,
  "is 286764 active": /^Read 286764 as a USDOT number\. "ACME INC"/,
};

Deno.test("/ask says when something changed, and what the record said on a past day", async () => {
  const objects: Objects = new Map();
  const carrier = record(286764, {
    legal_name: "ACME INC",
    street: "1 EXAMPLE ST",
    mailing: ["PO BOX 1"],
  });
  const moved = { ...carrier, street: "2 EXAMPLE ST" };
  putChain(objects, [
    { dataDate: "2026-09-30", carriers: [carrier] },
    { dataDate: "2026-10-01", carriers: [moved] },
    { dataDate: "2026-10-03", carriers: [{ ...moved, status: "I" }] },
  ]);
  const { deps } = surfaceOver(objects);
  for (const [query, wanted] of Object.entries(ASKED)) {
    const body = JSON.parse(JSON.stringify(await collectAnswer({ query, prev: [] }, deps)));
    const text = body.results?.[0].description ?? body.error?.message ?? JSON.stringify(body);
    assert.match(text, wanted, `${query}: ${JSON.stringify(body._meta)}`);
  }
});
