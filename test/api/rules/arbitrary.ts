/**
 * Carrier records of every shape the census allows, and contexts to evaluate them in.
 *
 * @module
 */
import fc from "fast-check";
import type { CarrierContext } from "../../../api/rules/carrier.ts";
import type { CarrierRecord, InspectionKind } from "../../../pipeline/snapshot/record/record.ts";

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` from 1990 to 2039. */
export function anyDay(): fc.Arbitrary<string> {
  const first = Date.UTC(1990, 0, 1) / DAY_MS;
  const last = Date.UTC(2039, 11, 31) / DAY_MS;
  return fc.integer({ min: first, max: last })
    .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
}

/** 1 to 99,999,999. */
export function anyDot(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 99_999_999 });
}

/** A record in which any member may be absent or odd. */
export function anyRecord(): fc.Arbitrary<CarrierRecord> {
  const kind: fc.Arbitrary<InspectionKind> = fc.tuple(fc.nat(12), fc.nat(12))
    .map(([a, b]) => ({ inspections: Math.max(a, b), out_of_service: Math.min(a, b) }));
  const phrases = [
    "AUTHORIZED FOR HIRE",
    "EXEMPT FOR HIRE",
    "PRIVATE PROPERTY",
    "PRIVATE PASSENGER, NON-BUSINESS",
    "OTHER-AUTHORIZED AND PAID",
  ];
  return fc.record({
    dot: anyDot(),
    legal_name: fc.constantFrom("", "EXAMPLE TRUCKING LLC", "PAID & AUTHORIZED INC"),
    dba_name: fc.constant("EXAMPLE"),
    city: fc.constant("AKRON"),
    state: fc.constant("OH"),
    street: fc.constant("12 EXAMPLE ST"),
    zip: fc.constantFrom("44306", "44306-3754"),
    country: fc.constantFrom("CA", "MX"),
    mailing: fc.constantFrom([""], ["PO BOX 1 EXAMPLE", null, null, "44309"]),
    undeliverable: fc.constant(true as const),
    mail_returned: anyDay(),
    phone: fc.constantFrom("3305550123", "525555550123"),
    business_form: fc.constant("CORPORATION"),
    duns: fc.constant("123456789"),
    vehicles: fc.array(fc.nat(99), { maxLength: 24 }),
    driver_counts: fc.array(fc.option(fc.nat(99)), { maxLength: 7 }),
    cargo: fc.constantFrom("A", "BMd"),
    cargo_other: fc.constant("PIANOS"),
    hazmat: fc.boolean(),
    mileage: fc.nat(9_999_999),
    mileage_year: fc.integer({ min: 1990, max: 2026 }),
    added: anyDay(),
    review_type: fc.constantFrom("C", "S", "?"),
    review_date: anyDay(),
    crash_rate: fc.constantFrom(0, 1.204),
    prior_revoked: fc.boolean(),
    prior_revoked_dot: anyDot(),
    status: fc.constantFrom("A" as const, "I" as const, "P" as const),
    operation: fc.constantFrom("A" as const, "B" as const, "C" as const),
    roles: fc.subarray(["C", "S", "B", "R", "F", "I", "T", "?"]),
    classes: fc.subarray(phrases),
    power_units: fc.oneof(fc.nat(30), fc.nat(600_000)),
    drivers: fc.nat(200_000),
    mcs150_date: anyDay(),
    rating: fc.constantFrom("S" as const, "C" as const, "U" as const),
    rating_date: anyDay(),
    dockets: fc.array(
      fc.record({
        prefix: fc.constantFrom("MC", "MX", "FF"),
        number: fc.integer({ min: 1, max: 9_999_999 }),
        statuses: fc.subarray(["A", "P", "I"]),
      }).map(({ prefix, number, statuses }) => ({
        prefix,
        number,
        ...(statuses.length > 0 && { status: statuses[0]! }),
        ...(statuses.length > 1 && { statuses }),
      })),
      { maxLength: 3 },
      // A row has three slots.
    ).filter((dockets) =>
      dockets.reduce(
        (slots, { statuses = [0] }: { statuses?: unknown[] }) => slots + statuses.length,
        0,
      ) < 4
    ),
    inspections: fc.record({
      total: fc.nat(40),
      last: anyDay(),
      violations: fc.nat(99),
      vehicle: kind,
      driver: kind,
      hazmat: kind,
    }),
  }, { requiredKeys: ["dot", "legal_name", "status"] });
}

/** The days of a context, `YYYY-MM-DD`. */
export interface ContextDays {
  today: string;
  census: string;
  inspections: string;
  orders?: string | undefined;
  notice?: string | undefined;
}

/** The context. Its window is the 24 months ending on the inspection file's date. */
export function contextOfDays(
  { today, census, inspections, orders, notice }: ContextDays,
): CarrierContext {
  const to = Temporal.PlainDate.from(inspections);
  const from = to.subtract({ months: 24 }).add({ days: 1 }).toString();
  return {
    today,
    baseUrl: "https://carriers.example",
    snapshot: {
      id: "20261003-test",
      manifest: {
        data_date: census,
        inspections_date: inspections,
        ...(orders === undefined ? {} : { orders_date: orders }),
        window: { from, to: inspections },
        ...(notice === undefined ? {} : { notice }),
      },
    },
  };
}

/** `Oct 3, 2026`. */
export function written(day: string): string {
  return Temporal.PlainDate.from(day)
    .toLocaleString("en-US", { month: "short", day: "numeric", year: "numeric" });
}

/** A context for a day; the census is of Oct 3, 2026, the inspection file of Sep 30, 2026. */
export function contextOf(today: string, notice?: string): CarrierContext {
  return contextOfDays({ today, census: "2026-10-03", inspections: "2026-09-30", notice });
}
