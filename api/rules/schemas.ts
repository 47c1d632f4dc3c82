/**
 * What the rules answer, as zod schemas: the one source of the types, of validation in tests and of
 * the published description. JSON members are snake_case.
 *
 * @module
 */
import { z } from "zod";
import { LISTED } from "../../pipeline/snapshot/record.ts";
import { FACTS } from "./facts.ts";

const DATE = z.iso.date();
const COUNT = z.int().min(0);

/** A USDOT number in an answer: digits without leading zeros. */
const DotNumber = z.string().regex(/^[1-9]\d{0,7}$/)
  .meta({ description: "USDOT number, digits without leading zeros", example: "286764" });

export const CheckState = z.enum(["ok", "warn", "bad", "info"]).meta({
  description:
    "`ok` the file shows no problem, `warn` review, `bad` a problem the file states, `info` not enough data for a verdict",
  example: "ok",
});

/** The six checks in the order of every answer. */
export const CHECK_IDS = [
  "usdot_status",
  "mcs150",
  "operating_authority",
  "safety_rating",
  "oos_rates",
  "ucr",
] as const;

/** The source of a verdict. */
export const Basis = z.object({
  file: z.string().meta({ description: "The public file read", example: "Company Census File" }),
  data_date: DATE.meta({
    description: "Date of that file",
    example: "2026-10-03",
  }),
  citation: z.string().nullable().meta({
    description: "The rule or publication applied",
    example: "49 CFR 390.19T(b)",
  }),
  url: z.string().nullable().meta({
    description: "A page with the rule, or with the file when no rule is applied",
    example: "https://www.ecfr.gov/current/title-49/section-390.19T",
  }),
}).meta({ id: "Basis", description: "The source of a verdict" });

export const Check = z.object({
  id: z.enum(CHECK_IDS).meta({ description: "Which check", example: "mcs150" }),
  label: z.string().meta({ description: "Name for people", example: "MCS-150 update" }),
  state: CheckState,
  summary: z.string().meta({
    description: "What the file says, in one line",
    example: "Filed Jan 23, 2026; next due Apr 30, 2028",
  }),
  detail: z.string().meta({
    description: "In plain words: what the file says, what it does not show, what to do next",
    example:
      "Last MCS-150 filed Jan 23, 2026, according to FMCSA's census of Oct 3, 2026. Next update due by " +
      "Apr 30, 2028, in 574 days.",
  }),
  basis: Basis,
}).meta({ id: "Check", description: "One compliance check" });

/** The `mcs150` member of a carrier. */
export const CarrierMcs150 = z.object({
  last_filed: DATE.nullable().meta({
    description: "Day the last MCS-150 was filed; null when the census has none",
    example: "2026-01-23",
  }),
  next_due: DATE.meta({
    description:
      "A scheduled date, which a filing never moves: already past when `overdue`, or when " +
      "`unknown` because a filing off schedule may not satisfy it",
    example: "2028-04-30",
  }),
  days_until_due: z.int().meta({
    description: "Days from today in New York to `next_due`; negative after it",
    example: 561,
  }),
  state: z.enum(["overdue", "due-soon", "ok", "unknown"]).meta({
    description: "`due-soon` from 90 days before the deadline",
    example: "ok",
  }),
}).meta({ id: "CarrierMcs150", description: "Where the carrier stands with its MCS-150" });

/** The due-date calculation for a USDOT number alone. */
export const Mcs150 = z.object({
  dot: DotNumber,
  next_due: DATE.meta({
    description: "The first scheduled day from today on",
    example: "2028-04-30",
  }),
  previous_due: DATE.nullable().meta({
    description: "The scheduled day before `next_due`",
    example: "2026-04-30",
  }),
  month: z.string().meta({ description: "English month name", example: "April" }),
  year_parity: z.enum(["odd", "even"]).meta({
    description: "Years in which the update is due",
    example: "even",
  }),
  rule: z.string().meta({
    description: "One sentence naming the digits used and the regulation",
    example: "USDOT 286764: the last digit 4 means April and the tens digit 6 means even years, " +
      "so the update is due by the last day of April of every even year (49 CFR 390.19T(b)).",
  }),
}).meta({ id: "Mcs150", description: "The MCS-150 schedule of a USDOT number" });

/** One kind of roadside inspection, against the national average. */
export const InspectionRate = z.object({
  inspections: COUNT.meta({ description: "Inspections of the kind", example: 40 }),
  out_of_service: COUNT.meta({
    description: "Those with at least one out-of-service violation of the kind",
    example: 6,
  }),
  rate_pct: z.number().min(0).nullable().meta({
    description: "Percent with one decimal; null (never 0) without inspections",
    example: 15,
  }),
  national_average_pct: z.number().meta({
    description: "Percent as SAFER publishes it, two decimals",
    example: 22.26,
  }),
}).meta({ id: "InspectionRate", description: "Inspections of one kind" });

/** Inspections of a month, a state or a level. */
const INSPECTED = {
  inspections: COUNT.meta({ description: "Inspections", example: 3 }),
  out_of_service: COUNT.meta({
    description: "Those with at least one out-of-service violation of any kind",
    example: 1,
  }),
};

const FOUND = {
  violations: COUNT.meta({ description: "Violations of the kind", example: 2 }),
  out_of_service: COUNT.meta({ description: "Out-of-service violations of the kind", example: 0 }),
};

/** Violations of one kind in an inspection. */
const Found = z.object(FOUND).meta({
  id: "InspectionFound",
  description: "Violations of one kind",
});

/** One roadside inspection. */
export const RoadsideInspection = z.object({
  date: DATE.meta({ description: "Day of the inspection", example: "2026-09-17" }),
  state: z.string().nullable().meta({
    description: "Code of the state that reported it; null when blank",
    example: "OH",
  }),
  level: z.int().nullable().meta({
    description: "Level as filed, 1 to 6 or 99; null when blank or not a level",
    example: 1,
  }),
  violations: COUNT.meta({
    description: "All violations; the file's totals need not be the sum of the kinds",
    example: 2,
  }),
  vehicle: Found,
  driver: Found,
  hazmat: Found,
  hazmat_present: z.boolean().meta({
    description: "Hazardous materials were present: a placard is recorded, or a hazmat violation",
    example: false,
  }),
  post_crash: z.boolean().meta({ description: "It followed a crash", example: false }),
}).meta({ id: "RoadsideInspection", description: "One roadside inspection" });

/** The 24-month inspection summary. */
export const Inspections24m = z.object({
  from: DATE.meta({ description: "First day counted", example: "2024-10-04" }),
  to: DATE.meta({
    description: "Last day counted: the inspection file's own date",
    example: "2026-10-03",
  }),
  total: COUNT.meta({ description: "Inspections of every level", example: 55 }),
  last_inspection: DATE.meta({ description: "Day of the newest", example: "2026-09-17" }),
  violations: COUNT.meta({ description: "Violations of every kind", example: 61 }),
  vehicle: InspectionRate.describe("Levels I, II, V, VI"),
  driver: InspectionRate.describe("Levels I, II, III, VI"),
  hazmat: InspectionRate.describe("Levels I to VI with hazardous materials present"),
  by_month: z.array(z.object({
    from: DATE.meta({ description: "First day of the month", example: "2026-09-04" }),
    to: DATE.meta({ description: "Last day of it", example: "2026-10-03" }),
    ...INSPECTED,
  })).optional().describe("24 months from `from` to `to`, the oldest first; one lookup only"),
  by_state: z.array(z.object({
    state: z.string().nullable().meta({ description: "Null when blank", example: "OH" }),
    ...INSPECTED,
  })).optional().describe("States that reported inspections, most first; one lookup only"),
  by_level: z.array(z.object({
    level: z.int().nullable().meta({ description: "Null when not a level", example: 1 }),
    ...INSPECTED,
  })).optional().describe("Levels, ascending; one lookup only"),
  latest: z.array(RoadsideInspection).optional().describe(
    `The newest ${LISTED}, the newest first; one lookup only`,
  ),
}).meta({ id: "Inspections24m", description: "Roadside inspections in the 24-month window" });

/** One docket as the census lists it. */
const CarrierDocket = z.object({
  prefix: z.string().meta({ description: "`MC`, `MX` or `FF`", example: "MC" }),
  number: z.string().meta({ description: "Without leading zeros", example: "186800" }),
  status: z.string().nullable().meta({
    description: "`A`, `I` or `P`: a flag on the docket's record, not operating authority",
    example: "A",
  }),
}).meta({ id: "CarrierDocket", description: "One docket of the census" });

/** Days after which data is stale: FMCSA publishes daily, and a weekend may pass. */
export const FRESH_DAYS = 3;

/** The snapshot an answer comes from. */
export const SnapshotFacts = z.object({
  id: z.string().meta({ description: "The snapshot read", example: "2026-10-03-c45ce6c33735a36b" }),
  data_date: DATE.meta({ description: "Date of the census file", example: "2026-10-03" }),
  inspections_date: DATE.meta({
    description: "Date of the inspection file",
    example: "2026-10-02",
  }),
  age_days: COUNT.meta({
    description: "Days since `data_date`",
    example: 1,
  }),
  stale: z.boolean().meta({
    description: `More than ${FRESH_DAYS} days old`,
    example: false,
  }),
  notice: z.string().optional().meta({
    description: "Says that the data is a sample; repeat it",
  }),
}).meta({ id: "SnapshotFacts", description: "The snapshot that answered" });

/** Kinds of {@link FileDifference}, in the order of every answer. */
export const DIFFERENCE_KINDS = [
  "inactive_but_inspected",
  "intrastate_but_inspected_interstate",
  "placarded_without_hazmat",
  "other_names",
  "not_inspected",
] as const;

/** Something the two files say that does not go together. */
export const FileDifference = z.object({
  kind: z.enum(DIFFERENCE_KINDS).meta({ description: "Which", example: "other_names" }),
  label: z.string().meta({
    description: "Name for people",
    example: "Inspected under other names",
  }),
  detail: z.string().meta({
    description: "What each file says, with counts and dates",
    example: "3 of 55 inspections from Oct 4, 2024 to Oct 3, 2026 name another carrier: ...",
  }),
  inspections: COUNT.meta({ description: "Inspections concerned", example: 3 }),
  first: DATE.nullable().meta({ description: "Day of the first of them", example: "2025-01-20" }),
  last: DATE.nullable().meta({ description: "Day of the last of them", example: "2026-03-02" }),
  names: z.array(z.object({
    name: z.string().meta({ description: "As typed at the roadside", example: "GEN TRANSPORT" }),
    inspections: COUNT.meta({ description: "Inspections under it", example: 3 }),
    first: DATE.meta({ description: "Day of the first", example: "2025-01-20" }),
    last: DATE.meta({ description: "Day of the last", example: "2026-03-02" }),
  })).optional().describe("Names of `other_names`, the most frequent first"),
  explanations: z.array(z.string()).meta({
    description: "Innocent reasons this can have",
    example: ["A leased truck may carry another company's name."],
  }),
}).meta({ id: "FileDifference", description: "Where the two files differ; a fact, not a verdict" });

/** A carrier: the census row, its inspections and six checks. */
export const Carrier = z.object({
  dot: DotNumber,
  name: z.string().meta({
    description: "The legal name; the DBA name where the census has no legal name",
    example: "GENERAL TRANSPORT INC",
  }),
  legal_name: z.string().meta({
    description: "Empty when blank in the census",
    example: "GENERAL TRANSPORT INC",
  }),
  dba_name: z.string().nullable().meta({ description: "Doing business as", example: null }),
  city: z.string().meta({ description: "Empty when blank in the census", example: "AKRON" }),
  state: z.string().meta({
    description: "State or province code; empty when blank in the census",
    example: "OH",
  }),
  status: z.enum(["active", "inactive"]).meta({
    description: "Pending registrations count as `inactive`; the check says so",
    example: "active",
  }),
  operation: z.enum(["Interstate", "Intrastate Hazmat", "Intrastate Non-Hazmat", "Not reported"])
    .meta({ description: "Where the carrier says it operates", example: "Interstate" }),
  mc_number: z.string().nullable().meta({
    description: "First MC docket, an active one before others",
    example: "186800",
  }),
  mc_active: z.boolean().nullable().meta({
    description:
      "The docket's record flag: true for A, false for I, else null. Not operating authority",
    example: true,
  }),
  power_units: COUNT.meta({
    description: "0 also when blank: see `not_reported`",
    example: 85,
  }),
  drivers: COUNT.meta({ description: "0 also when blank: see `not_reported`", example: 70 }),
  safety_rating: z.enum(["Satisfactory", "Conditional", "Unsatisfactory", "Not rated"]).meta({
    description: "Rating in the census; its date is in the check",
    example: "Satisfactory",
  }),
  mcs150: CarrierMcs150,
  inspections_24m: Inspections24m.nullable().describe("Null when there is none in the window"),
  checks: z.array(Check).length(6).describe("Always all six, always in the same order"),
  issues: z.int().min(0).max(6).meta({
    description: "Checks in state `warn` or `bad`",
    example: 0,
  }),
  verdict: z.string().meta({
    description: "The worst finding in words and how many more, or how many checks lack data",
    example: "Rated Unsatisfactory (and 1 more)",
  }),
  page_url: z.url().meta({
    description: "The carrier's page",
    example: "https://carriers.example/carriers/286764",
  }),
  snapshot: SnapshotFacts,
  dockets: z.array(CarrierDocket).describe("All dockets of the census row"),
  ...FACTS,
  differences: z.array(FileDifference).describe(
    "Where the census and the inspection file differ, with innocent explanations; no part of the verdict",
  ),
  not_reported: z.array(
    z.enum(["legal_name", "city", "state", "operation", "power_units", "drivers"]),
  ).meta({
    description: "Members the census leaves blank, whose value above is a placeholder",
    example: [],
  }),
}).meta({ id: "Carrier", description: "A carrier with its compliance checks" });

/** One line of the UCR fee table. */
export const UcrBracket = z.object({
  bracket: z.int().min(1).max(6).meta({ description: "1 to 6", example: 2 }),
  min_vehicles: COUNT.meta({ description: "Smallest fleet", example: 3 }),
  max_vehicles: COUNT.nullable().meta({
    description: "Largest fleet; null for no upper bound",
    example: 5,
  }),
  fee_usd: COUNT.meta({ description: "Whole US dollars", example: 167 }),
}).meta({ id: "UcrBracket", description: "One bracket of the UCR fee table" });

export const UcrFee = z.object({
  year: z.int().meta({ description: "Registration year", example: 2027 }),
  vehicles: COUNT.meta({ description: "Commercial vehicles asked for", example: 4 }),
  bracket: z.int().min(1).max(6).meta({ description: "1 to 6", example: 2 }),
  fee_usd: COUNT.meta({ description: "Whole US dollars", example: 167 }),
  brackets: z.array(UcrBracket).describe("The whole table of the year"),
  source: z.string().meta({
    description: "Legal citation",
    example: "49 CFR 367.50; 91 FR 56063 (Sep 1, 2026)",
  }),
}).meta({ id: "UcrFee", description: "The UCR fee of a fleet size" });

export type SnapshotFacts = z.infer<typeof SnapshotFacts>;
export type Basis = z.infer<typeof Basis>;
export type CheckState = z.infer<typeof CheckState>;
export type Check = z.infer<typeof Check>;
export type CheckId = Check["id"];
export type CarrierMcs150 = z.infer<typeof CarrierMcs150>;
export type Mcs150 = z.infer<typeof Mcs150>;
export type InspectionRate = z.infer<typeof InspectionRate>;
export type RoadsideInspection = z.infer<typeof RoadsideInspection>;
export type FileDifference = z.infer<typeof FileDifference>;
export type Inspections24m = z.infer<typeof Inspections24m>;
type CarrierDocket = z.infer<typeof CarrierDocket>;
export type Carrier = z.infer<typeof Carrier>;
export type UcrBracket = z.infer<typeof UcrBracket>;
export type UcrFee = z.infer<typeof UcrFee>;
