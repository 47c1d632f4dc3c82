/**
 * Out-of-service orders, tested against a table written from the specification and FMCSA's file, not from the
 * code. The table begins with a description of its columns. Orders are parsed as the build does.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { OrderRollUp } from "../../../pipeline/compile/spill/spilled_orders.ts";
import { foldText } from "../../../pipeline/fmcsa/fields.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { contextOfDays } from "./arbitrary.ts";
import { carrierOf } from "./carrier_lines.ts";

const CASES = Deno.readTextFileSync(new URL("orders_cases.tsv", import.meta.url)).trimEnd().split(
  "\n",
)
  .filter((line) => !line.startsWith("#"));

const DOT = 286764;

function splitPhrases(text = ""): string[] {
  return text.split(";").map((phrase) => phrase.trim().toLowerCase()).filter(Boolean);
}

/** The differences between a case's answer and its expectations. */
function mismatches(line: string): string[] {
  const [id, status, today, data, file, filed, state, must, mustNot] = line.split("\t") as string[];
  const lines = filed === ""
    ? []
    : filed!.split(";").map((order) =>
      JSON.stringify([DOT, ...order.split("|").map((text) => foldText(text).text)])
    );
  const days = { dataDate: data!, latest: Number(today!.replaceAll("-", "")) };
  const kept = new OrderRollUp(new TextEncoder().encode(lines.join("\n")), days, {}).of(DOT);
  const record = {
    dot: DOT,
    legal_name: "EXAMPLE TRUCKING LLC",
    status,
    operation: "A",
    roles: ["C"],
    classes: ["AUTHORIZED FOR HIRE"],
    dockets: [{ prefix: "MC", number: 700_000, status: "A" }],
    mcs150_date: "2026-04-01",
    ...file !== "-" && kept,
  } as CarrierRecord;
  const orders = file === "-" ? undefined : file;
  const carrier = toCarrier(
    record,
    contextOfDays({ today: today!, census: data!, inspections: data!, orders }),
  );
  const [check] = carrier.checks;
  const text = [
    carrier.verdict,
    check!.summary,
    check!.detail,
    ...carrier.findings.flatMap(({ text, detail, reasons }) => [text, detail, ...reasons]),
  ].join("\n").replaceAll(/\s+/g, " ").toLowerCase();
  return [
    ...state === "?" || state === check!.state ? [] : [`${id}: ${check!.state}, not ${state}`],
    ...splitPhrases(must).filter((phrase) => !text.includes(phrase)).map((phrase) =>
      `${id}: without "${phrase}" in ${text}`
    ),
    ...splitPhrases(mustNot).filter((phrase) => text.includes(phrase)).map((phrase) =>
      `${id}: "${phrase}" in ${text}`
    ),
  ];
}

Deno.test("out-of-service orders of each case match the independent table", () => {
  assert.ok(CASES.length >= 120);
  assert.equal(carrierOf("defaults").checks[0]!.state, "ok");
  assert.deepEqual(CASES.flatMap(mismatches), []);
});
