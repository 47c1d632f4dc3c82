/**
 * Properties of every carrier with out-of-service orders, in any wording.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { toCarrier } from "../../../api/rules/carrier.ts";
import { KIND_WORDS } from "../../../api/rules/findings.ts";
import { orderFacts, ordersAnswer, ordersIn, ordersLine } from "../../../api/rules/orders.ts";
import { Carrier } from "../../../api/rules/schemas.ts";
import type { CarrierRecord, OutOfServiceOrder } from "../../../pipeline/snapshot/record/record.ts";
import { anyDay, anyRecord, contextOfDays } from "./arbitrary.ts";

const TODAY = "2026-11-22";
const DATA = "2026-11-21";

/** A day from 30 months before today to 2 months after it. */
function nearDay(): fc.Arbitrary<string> {
  return fc.integer({ min: -900, max: 60 })
    .map((days) => Temporal.PlainDate.from(TODAY).add({ days }).toString());
}

function anyOrder(): fc.Arbitrary<OutOfServiceOrder> {
  const reason = fc.constantFrom(
    "",
    "Denial of Access",
    "New Entrant Revoked - Refusal of Audit/No Contact",
    'ACTIVE "ORDER"\u202e',
  );
  const days = fc.oneof(
    anyDay().filter((day) => day <= DATA),
    nearDay().filter((day) => day <= DATA),
  );
  return fc.oneof(
    fc.record({ date: days, reason, rescinded: nearDay() }, { requiredKeys: ["date", "reason"] })
      .map(({ rescinded, ...order }) =>
        rescinded === undefined || rescinded < order.date ? order : { ...order, rescinded }
      ),
    fc.record({
      reason,
      unusable: fc.constantFrom({ date: "", rescinded: "" }, { date: "2026-02-30", rescinded: "" }),
    }),
  );
}

function anyOrders(): fc.Arbitrary<OutOfServiceOrder[]> {
  return fc.array(anyOrder(), { maxLength: 20 })
    .map((orders) => orders.sort((a, b) => (a.date ?? "") < (b.date ?? "") ? 1 : -1));
}

function carrierOf(record: CarrierRecord, orders: OutOfServiceOrder[]): Carrier {
  const days = { today: TODAY, census: DATA, inspections: "2026-11-20", orders: "2026-11-19" };
  return toCarrier({ ...record, orders }, contextOfDays(days));
}

Deno.test("no carrier with an unrescinded order of the last 24 months reads ok, and no order is called active", () => {
  fc.assert(
    fc.property(anyRecord(), anyOrders(), (record, orders) => {
      const carrier = carrierOf(record, orders);
      assert.deepEqual(Carrier.parse(carrier), carrier);
      const stands = ({ date, rescinded }: OutOfServiceOrder) =>
        date !== undefined && (rescinded === undefined || rescinded > DATA);
      const [check] = carrier.checks;
      const standing = orders.filter(stands);
      if (standing.some(({ date }) => date! >= "2024-11-22")) {
        assert.equal(check!.state, "bad");
        assert.equal(carrier.findings[0]!.kind, "problem");
      } else if (standing.length > 0) assert.notEqual(check!.state, "ok");
      else assert.equal(check!.state, { A: "ok", I: "bad", P: "warn" }[record.status]);
      const kinds = carrier.findings.map(({ kind }) => kind);
      assert.deepEqual(
        kinds,
        Object.keys(KIND_WORDS).flatMap((kind) => kinds.filter((k) => k === kind)),
      );
      if (orders.length > 0) assert.doesNotMatch(carrier.verdict, /No issues found/);
      const said = [
        check!.summary,
        check!.detail,
        ordersAnswer(carrier),
        ...carrier.findings.flatMap(({ text, detail, reasons }) => [text, detail, ...reasons]),
      ].join("\n").replaceAll(`"ACTIVE 'ORDER'"`, "as filed");
      assert.doesNotMatch(
        said,
        /active (?:out-of-service )?orders?\b|order (?:is|remains) (?:active|in effect)/i,
      );
      assert.doesNotMatch(said, /undefined|null|NaN|\u202e/);
      if (standing.length > 0) assert.match(said, /Check SAFER/);
    }),
    { numRuns: 300 },
  );
});

Deno.test("orders beyond those a record lists are counted, and never said to be rescinded", () => {
  const record = (orders: OutOfServiceOrder[]): CarrierRecord => ({
    dot: 1,
    legal_name: "ONE",
    status: "A",
    orders_total: 25,
    orders,
  });
  const listed = (order: Partial<OutOfServiceOrder>) =>
    Array<OutOfServiceOrder>(20).fill({ date: "2026-08-11", reason: "Denial of Access", ...order });
  const textsOf = (orders: OutOfServiceOrder[]) => {
    const carrier = carrierOf(record(orders), orders);
    assert.equal(carrier.orders_total, 25);
    assert.match(ordersLine(carrier)!, / and 24 more$/);
    const { verdict, checks, findings } = carrier;
    const texts = findings.map(({ text }) => text);
    return [verdict, ordersAnswer(carrier), checks[0]!.detail, ...texts].join("\n");
  };
  assert.match(
    textsOf(listed({})),
    /^20 or more out-of-service orders, the newest of Aug 11, 2026/,
  );
  const over = textsOf(listed({ rescinded: "2026-08-20" }));
  assert.equal(over.match(/Each of the 25 out-of-service orders .* was rescinded/g)?.length, 2);
  assert.match(over, /^25 rescinded out-of-service orders/m);
  // Unusable orders are listed first, so the others may have any state.
  const unusable = { date: "", rescinded: "" };
  const unknown = textsOf(Array(20).fill({ reason: "", unusable }));
  assert.match(unknown, /The file has 25 orders for this number; 20 are kept/);
  assert.doesNotMatch(unknown, /was rescinded|lists no/);
});

Deno.test("the number of unrescinded orders is exact if the record lists an order that comes after them", () => {
  const order = { date: "2026-08-11", reason: "" };
  const over = { ...order, rescinded: "2026-08-20" };
  const unusable = { reason: "", unusable: { date: "", rescinded: "" } };
  const summaryOf = (orders_total: number, ...orders: OutOfServiceOrder[]) => {
    const record: CarrierRecord = { dot: 1, legal_name: "ONE", status: "A", orders_total };
    return carrierOf(record, orders).checks[0]!.summary.split(",")[0];
  };
  assert.equal(summaryOf(3, order, order), "2 or more out-of-service orders");
  assert.equal(summaryOf(9, order, order, over), "2 out-of-service orders");
  assert.equal(summaryOf(9, order, order, unusable), "2 out-of-service orders");
  assert.equal(summaryOf(9, order, order, over, unusable), "2 out-of-service orders");
});

Deno.test("a rescission dated after the data is given with its date, not as done", () => {
  const order = { date: "2026-08-11", reason: "", rescinded: "2026-11-22", unusable: undefined };
  assert.deepEqual(orderFacts(order, DATA), ["Aug 11, 2026", "rescission dated Nov 22, 2026"]);
  assert.deepEqual(orderFacts(order, "2026-11-22"), ["Aug 11, 2026", "rescinded Nov 22, 2026"]);
});

Deno.test("an order with unusable dates is given as filed, and what is blank is said to be", () => {
  const factsOf = (date: string, rescinded: string) =>
    orderFacts({ date: null, reason: "", rescinded: null, unusable: { date, rescinded } }, DATA);
  assert.deepEqual(factsOf("2026-13-40", ""), ['"2026-13-40"', "no rescission (not usable)"]);
  assert.deepEqual(factsOf("", "2026-07-01"), ["no date", '"2026-07-01" (not usable)']);
});

Deno.test("one line has the newest order and the number of others, or the day through which there is none", () => {
  const order = (date: string) => ({ date, reason: "" });
  const lineOf = (...orders: OutOfServiceOrder[]) =>
    ordersLine(carrierOf({ dot: 1, legal_name: "ONE", status: "A" }, orders));
  assert.equal(lineOf(), "None through Nov 19, 2026");
  const first = "Aug 11, 2026, no rescission recorded";
  assert.equal(lineOf(order("2026-08-11")), first);
  assert.equal(lineOf(order("2026-08-11"), order("2025-01-02")), `${first} and 1 more`);
  const unusable = { date: "", rescinded: "" };
  assert.equal(lineOf({ reason: "", unusable }), "No date, no rescission (not usable)");
});

Deno.test("a snapshot without the orders file says only that orders are not included", () => {
  fc.assert(
    fc.property(anyRecord(), anyOrders(), (record, orders) => {
      const context = contextOfDays({ today: TODAY, census: DATA, inspections: "2026-11-20" });
      const carrier = toCarrier({ ...record, orders }, context);
      assert.deepEqual(carrier, toCarrier(record, context));
      assert.ok(!("orders_date" in carrier.snapshot));
      assert.ok(!("orders" in carrier));
      assert.equal(ordersLine(carrier), undefined);
      assert.match(carrier.checks[0]!.detail, /Out-of-service orders are not included/);
    }),
    { numRuns: 100 },
  );
});

Deno.test("whether an order stood on past days is said by the orders' dates alone, and only as far as they are listed", () => {
  const on = (day: string) => ({ from: day, to: day });
  const order = (date: string, rescinded: string | null) => ({ date, reason: "", rescinded });
  const over = order("2025-08-28", "2025-09-08");
  assert.equal(
    ordersIn({ orders: [over, order("2024-01-02", null)] }, on("2025-08-30")),
    "On Aug 30, 2025, the order of Aug 28, 2025 stood until Sep 8, 2025 and the order of Jan 2, 2024 " +
      "had no recorded rescission, by the dates in the file.",
  );
  assert.match(ordersIn({ orders: [over] }, on("2025-09-08")), /no order stood, by the dates/);
  assert.match(ordersIn({ orders: [over] }, on("2025-08-27")), /no order stood, by the dates/);
  assert.match(ordersIn({ orders: [over] }, on("2025-08-28")), /stood until Sep 8, 2025/);
  assert.match(
    ordersIn({ orders: [over] }, { from: "2025-09-01", to: "2025-09-30" }),
    /^From Sep 1, 2025 to Sep 30, 2025, the order of Aug 28, 2025 stood until/,
  );
  const cut = ordersIn({ orders: [over], orders_total: 2 }, on("2025-09-08"));
  assert.match(cut, /none of the orders whose dates are known here stood; others may have/);
  const unusable = {
    date: null,
    reason: "",
    rescinded: null,
    unusable: { date: "", rescinded: "" },
  };
  assert.match(ordersIn({ orders: [unusable] }, on("2025-09-08")), /others may have/);
});
