import assert from "node:assert/strict";
import fc from "fast-check";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { Carrier, CHECK_IDS } from "../../../api/rules/schemas.ts";
import { ordersAnswer } from "../../../api/rules/orders.ts";
import { findingLine } from "../../../api/rules/findings.ts";
import { anyDay, anyRecord, contextOf } from "./arbitrary.ts";
import { carrierOf } from "./carrier_lines.ts";

const GOLDEN = new URL("./golden/checks.txt", import.meta.url);

Deno.test("members, checks and differences of each case match the golden file word for word", async () => {
  // Blocks of a case, `check: inputs`, and its answer. UPDATE_GOLDEN=1 rewrites the answers.
  const golden = await Deno.readTextFile(GOLDEN);
  const answered = golden.trimEnd().split("\n\n").map((block) => {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => !line.startsWith("#"));
    if (at < 0) return block;
    const [name, inputs] = lines[at]!.split(": ") as [string, string];
    return [...lines.slice(0, at + 1), ...answerOf(name, carrierOf(inputs))].join("\n");
  }).join("\n\n") + "\n";
  if (Deno.env.get("UPDATE_GOLDEN") === "1") await Deno.writeTextFile(GOLDEN, answered);
  assert.equal(answered, await Deno.readTextFile(GOLDEN));
});

function answerOf(name: string, whole: Carrier): string[] {
  const { checks, differences, ...carrier } = whole;
  if (name === "verdict") {
    return [carrier.verdict, ...carrier.findings.map(findingLine)].map((text) => `  ${text}`);
  }
  if (name === "carrier") {
    return Object.entries(carrier).map(([member, value]) =>
      `  ${member}: ${JSON.stringify(value)}`
    );
  }
  if (name === "orders") {
    const { state, summary, detail, basis } = checks[0]!;
    return [
      `${state}: ${summary}`,
      detail,
      `${basis.file} of ${basis.data_date}`,
      `verdict: ${carrier.verdict}`,
      ...carrier.findings.slice(state === "ok" ? 0 : 1).map(findingLine),
      `answer: ${carrier.orders === undefined ? "-" : ordersAnswer(whole)}`,
      JSON.stringify(carrier.orders),
    ].map((text) => `  ${text}`);
  }
  if (name === "docket") return [`  ${carrier.mc_number}, active: ${carrier.mc_active}`];
  if (name === "differences") {
    return differences.flatMap(({ kind, label, detail, explanations, ...figures }) => [
      `  ${kind}: ${label}`,
      `  ${detail}`,
      `  ${JSON.stringify(figures)}`,
      ...explanations.map((text) => `  - ${text}`),
    ]);
  }
  const { state, data, summary, detail, basis } = checks.find(({ id }) => id === name)!;
  const cited = basis.citation === null ? [] : [`  (${basis.citation})`];
  return [`  ${state}${state === "info" ? ` (${data})` : ""}: ${summary}`, `  ${detail}`, ...cited];
}

Deno.test("checks name file, date and citation", () => {
  for (const { id, basis } of carrierOf("defaults").checks) {
    const inspected = id === "oos_rates";
    assert.equal(basis.data_date, inspected ? "2026-11-20" : "2026-11-21");
    assert.equal(basis.file, inspected ? "Vehicle Inspection File" : "Company Census File");
    assert.ok(basis.url !== null && URL.canParse(basis.url));
    assert.equal(basis.citation === null, id === "usdot_status");
  }
});

Deno.test("checks keep their order, their number and the never-claim rules for any record on any day", () => {
  fc.assert(
    fc.property(anyRecord(), anyDay(), (record, today) => {
      const before = JSON.stringify(record);
      const carrier = toCarrier(record, contextOf(today));
      assert.equal(JSON.stringify(record), before);
      assert.deepEqual(Carrier.parse(carrier), carrier);
      assert.deepEqual(carrier.checks.map(({ id }) => id), CHECK_IDS);
      const issues = carrier.checks.filter(({ state }) => state === "warn" || state === "bad");
      assert.equal(carrier.issues, issues.length);
      for (const { id, label, state, summary, detail } of carrier.checks) {
        assert.ok(summary.length <= 100, summary);
        const said = `${label}: ${summary}. ${detail}`.replaceAll('"AUTHORIZED FOR HIRE"', "That");
        assert.doesNotMatch(said, /\b(is|not|un)[ -]?authori[sz]ed\b|\b(un)?paid\b/i);
        assert.doesNotMatch(said, /undefined|null|NaN|\[object/);
        assert.doesNotMatch(said, / {2}|\.\.|^\s|\s$/);
        assert.match(detail, /\.$/);
        if (id === "ucr") assert.equal(state, "info");
        if (id === "operating_authority") assert.ok(state === "info" || state === "warn");
        if (id === "oos_rates") assert.notEqual(state, "bad");
      }
      if (carrier.inspections_24m === null) assert.equal(carrier.checks[4]!.state, "info");
      if (carrier.mcs150.state === "unknown") assert.equal(carrier.checks[1]!.state, "info");
      if (carrier.safety_rating === "Not rated") assert.equal(carrier.checks[3]!.state, "info");
    }),
    { numRuns: 500 },
  );
});
