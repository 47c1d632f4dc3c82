/**
 * Carrier records of every shape the census allows, for property tests.
 *
 * @module
 */
import fc from "fast-check";
import type { CarrierContext } from "../../../api/rules/carrier.ts";
import type { CarrierRecord, InspectionKind } from "../../../pipeline/snapshot/record.ts";

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

/** A record with any member absent or odd. */
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
        status: fc.constantFrom("A", "I", "P"),
      }, { requiredKeys: ["prefix", "number"] }),
      { maxLength: 3 },
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

/** A context for a day; the census is of Oct 3, 2026, the inspection file of Sep 30, 2026. */
export function contextOf(today: string, notice?: string): CarrierContext {
  return {
    today,
    baseUrl: "https://carriers.example",
    snapshot: {
      id: "20261003-test",
      manifest: {
        data_date: "2026-10-03",
        inspections_date: "2026-09-30",
        window: { from: "2024-10-01", to: "2026-09-30" },
        ...(notice === undefined ? {} : { notice }),
      },
    },
  };
}
