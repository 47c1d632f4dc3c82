import type { GateResult, SnapshotReport } from "../../../pipeline/audit/report.ts";
import { FORMAT } from "../../../pipeline/snapshot/documents.ts";

/** Text that breaks a page or a terminal that doesn't escape it. */
export const HOSTILE = `</code><script>alert("x")</script>&\u001b[31m\u202e'"`;

/** A report with something in every part. */
export function sampleReport(): SnapshotReport {
  const family = { width: 100, runs: [], objects: 0, items: 0, bytes: 0 };
  const file = { bytes: 0, sha256: "0".repeat(64) };
  return {
    snapshot: "2026-04-03-59a82c9b0103227a",
    manifest: {
      format: FORMAT,
      data_date: "2026-04-03",
      inspections_date: "2026-04-03",
      window: { from: "2024-04-04", to: "2026-04-03" },
      counts: {
        carriers: 4_512_300,
        active: 2_000_000,
        inactive: 2_512_000,
        pending: 300,
        dockets: 1_234_567,
        inspections: 5_400_000,
        carriers_inspected: 610_000,
      },
      families: { carriers: family, dockets: family },
      files: { SHA256SUMS: file, "report.json": file },
    },
    report: {
      format: FORMAT,
      data_date: "2026-04-03",
      notice: "Real rows together with synthetic carriers",
      forced: `FMCSA knows that the file is short today: ${HOSTILE}`,
      census: {
        rows: 4_512_353,
        accepted: 4_512_300,
        skipped: 11,
        rejected: 42,
        problems: [
          {
            reason: "bad_date",
            treatment: "repaired",
            count: 1_234,
            examples: [HOSTILE, "x".repeat(160), 'USDOT 254: ADD_DATE "字字"'],
          },
          { reason: "no_usdot_number", treatment: "skipped", count: 11, examples: [] },
          {
            reason: "ragged_row",
            treatment: "rejected",
            count: 42,
            examples: ["148 fields instead of 147"],
          },
        ],
        extra_columns: ["NEW_COLUMN", "<i>EXTRA</i>"],
        reordered_columns: true,
        newest: "2026-04-02",
      },
      inspections: {
        rows: 8_200_000,
        accepted: 8_200_000,
        skipped: 0,
        rejected: 0,
        problems: [],
        extra_columns: [],
        reordered_columns: false,
        in_window: 5_401_000,
        unknown_carrier: 1_000,
      },
      null_rates: { dba_name: 81.82, city: 0, country: 99.999 },
      distributions: {
        status: [["A", 2_000_000], ["I", 2_512_000], ["P", 300]],
        operation: [["A", 3_000_000], ["B", 300], ["C", 1_500_000], ["not reported", 12_000]],
        roles: [["C", 4_000_000], ["B", 500_000]],
        classes: [["AUTHORIZED FOR HIRE", 2_500_000], ["PRIVATE PROPERTY", 2_000_000], [
          HOSTILE,
          1,
        ]],
        cargo: [["CRGO_GENFREIGHT", 1_900_000], ["not reported", 400_000]],
        business_form: [["CORPORATION", 500_000], [HOSTILE, 1]],
        hazmat: [["Y", 290_000], ["N", 4_222_300], ["not reported", 0]],
        rating: [["S", 20_000], ["C", 9_000], ["U", 900], ["not rated", 4_482_400]],
        rating_age_years: [["0", 2_000], ["10+", 27_900], ["no date", 0]],
        review_type: [["C", 300_000], ["not reported", 4_000_000]],
        prior_revoked: [["Y", 100_000], ["N", 1_700_000], ["not reported", 2_700_000]],
        docket_prefix: [["FF", 20_000], ["MC", 980_000]],
        docket_status: [["A", 500_000], ["I", 500_000]],
        states: [
          ...Array.from({ length: 40 }, (_, i): [string, number] => [`S${i}`, 90_000 - i]),
          [HOSTILE, 1],
        ],
        mcs150_age_years: [["0", 900_000], ["1", 800_000], ["10+", 1_500_000], ["never", 9]],
        fleet: [["0", 1], ["1", 2_000_000], ["1001+", 120], ["not reported", 0]],
        inspections_per_month: Array.from({ length: 25 }, (_, i) => [
          `${2024 + Math.floor((i + 3) / 12)}-${String((i + 3) % 12 + 1).padStart(2, "0")}`,
          200_000 + i * 1_000,
        ]),
        inspection_levels: [["1", 1_700_000], ["2", 2_000_000], ["constructor", 2]],
        inspection_states: [["TX", 600_000], ["not reported", 4]],
        out_of_service: [
          ["vehicle", 1_000_000],
          ["vehicle out of service", 222_600],
          ["driver", 1_500_000],
          ["driver out of service", 100_000],
          ["hazmat", 100_000],
          ["hazmat out of service", 4_440],
        ],
      },
      gates: [
        gate("census_rows", { measured: 0.27, unit: "%", bound: { min: -1, max: 5 } }),
        gate("drift_status", { measured: 21.04, unit: "points", bound: { max: 2 }, passed: false }),
        gate("census_usable", { measured: 4_512_300, unit: "rows", bound: { min: 1 } }),
        gate(HOSTILE, { measured: 0, unit: "days", bound: { min: 0 } }),
      ],
      landmarks: { largest: [] },
      drift: {
        previous: "2026-04-02-0123456789abcdef",
        rows: [
          ["carriers", 4_500_000, 4_512_300, 0.27],
          ["census rows rejected", 40, 42, 5],
          ["inspection rows rejected", 0, 0, null],
          ["rating U", 1_000, 900, -10],
          ["status P", 0, 300, null],
        ],
        changes: { compared: 4_500_000, arrived: 12_300, left: 0, facts: [] },
      },
    },
  };
}

function gate(name: string, of: Partial<GateResult>): GateResult {
  const { measured = 0, unit = "%", bound = {}, passed = true } = of;
  return { name, measured, unit, bound, passed, overridden: !passed };
}

/** The smallest report: that of a build of two nearly empty files. */
export function bareReport(): SnapshotReport {
  const { snapshot, manifest, report } = sampleReport();
  const { notice: _, forced: __, drift: ___, ...rest } = report;
  const none = {
    rows: 0,
    accepted: 0,
    skipped: 0,
    rejected: 0,
    problems: [],
    extra_columns: [],
    reordered_columns: false,
  };
  const empty = Object.fromEntries(Object.keys(report.distributions).map((name) => [name, []]));
  return {
    snapshot,
    manifest,
    report: {
      ...rest,
      census: none,
      inspections: { ...none, in_window: 0, unknown_carrier: 0 },
      null_rates: {},
      gates: [],
      distributions: empty as unknown as typeof report.distributions,
    },
  };
}
