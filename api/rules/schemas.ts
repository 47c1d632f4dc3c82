/**
 * The results of the rules as zod schemas: the single source of the types, of validation in tests and of
 * the published description. JSON members are snake_case.
 *
 * @module
 */
import { z } from "zod";
import { MAX_INSPECTIONS, MAX_ORDERS } from "../../pipeline/snapshot/record/record.ts";
import { FACTS } from "./facts.ts";
import * as m from "./members.ts";

/** A USDOT number in an answer: digits without leading zeros. */
export const DotNumber = z.string().regex(/^[1-9]\d{0,7}$/)
  .meta({ description: "USDOT number, digits without leading zeros", example: "286764" });

export const CheckState = m.oneOf(
  ["ok", "warn", "bad", "info"],
  "`ok` no problem shown, `warn` review, `bad` problem, `info` no verdict: see `data`",
  "ok",
);

/** The six checks in the order of every answer. */
export const CHECK_IDS = [
  "usdot_status",
  "mcs150",
  "operating_authority",
  "safety_rating",
  "oos_rates",
  "ucr",
] as const;

/** What data a check had. */
export const CHECK_DATA = ["used", "missing", "unusable", "not_applicable"] as const;

export const Basis = z.object({
  file: m.text("The public file read", "Company Census File"),
  data_date: m.day("Date of that file", "2026-10-03"),
  citation: m.filed("The rule or publication applied", "49 CFR 390.19T(b)"),
  url: m.filed(
    "The rule, or the file when no rule is applied",
    "https://www.ecfr.gov/current/title-49/section-390.19T",
  ),
}).meta({ id: "Basis", description: "The source of a verdict" });

export const Check = z.object({
  id: m.oneOf(CHECK_IDS, "Which check", "mcs150"),
  label: m.text("Name for people", "MCS-150 update"),
  state: CheckState,
  data: m.oneOf(
    CHECK_DATA,
    "`unusable`: filed, but can't be used; `not_applicable`: the check doesn't apply",
    "used",
  ),
  summary: m.text("What the file says, in one line", "Filed Jan 23, 2026; next due Apr 30, 2028"),
  detail: m.text(
    "What the file says, what it doesn't show, what to do next",
    "Last MCS-150 filed Jan 23, 2026, according to FMCSA's census of Oct 3, 2026. Next update due by " +
      "Apr 30, 2028, in 574 days.",
  ),
  basis: Basis,
}).meta({ id: "Check", description: "One compliance check" });

export const CarrierMcs150 = z.object({
  last_filed: m.dayOrNull(
    "Day the last MCS-150 was filed; null when none is filed or usable",
    "2026-01-23",
  ),
  next_due: m.day(
    "A scheduled date, which a filing never moves; past when it was missed or that is unclear",
    "2028-04-30",
  ),
  days_until_due: m.integer("Days to `next_due` in New York; negative after it", 561),
  state: m.oneOf(
    ["overdue", "due-soon", "ok", "unknown"],
    "`due-soon` from 90 days before the deadline",
    "ok",
  ),
}).meta({ id: "CarrierMcs150", description: "Where the carrier stands with its MCS-150" });

export const Mcs150 = z.object({
  dot: DotNumber,
  next_due: m.day("The first scheduled day from today on", "2028-04-30"),
  previous_due: m.dayOrNull("The scheduled day before `next_due`", "2026-04-30"),
  month: m.text("English month name", "April"),
  year_parity: m.oneOf(["odd", "even"], "Years in which the update is due", "even"),
  rule: m.text(
    "One sentence naming the digits used and the regulation",
    "USDOT 286764: the last digit 4 means April and the tens digit 6 means even years, " +
      "so the update is due by the last day of April of every even year (49 CFR 390.19T(b)).",
  ),
}).meta({ id: "Mcs150", description: "The MCS-150 schedule of a USDOT number" });

export const InspectionRate = z.object({
  inspections: m.count("Inspections of the kind", 40),
  out_of_service: m.count("Those with at least one out-of-service violation of the kind", 6),
  rate_pct: z.number().min(0).nullable().meta({
    description: "Percent with one decimal; null (never 0) without inspections",
    example: 15,
  }),
  national_average_pct: m.decimalOrNull(
    "Percent as SAFER publishes it, two decimals; null for a past date when it isn't known",
    22.26,
  ),
}).meta({ id: "InspectionRate", description: "Inspections of one kind" });

/** Inspections of a month, a state or a level. */
const INSPECTED = {
  inspections: m.count("Inspections", 3),
  out_of_service: m.count("With an out-of-service violation", 1),
};

const Found = z.object({
  violations: m.count("Violations of the kind", 2),
  out_of_service: m.count("Out-of-service violations of the kind", 0),
}).meta({ id: "InspectionFound", description: "Violations of one kind" });

export const RoadsideInspection = z.object({
  date: m.day("Day of the inspection", "2026-09-17"),
  state: m.filed("Code of the state that reported it; null when blank", "OH"),
  level: m.integerOrNull("Level as filed, 1 to 6 or 99; null when blank or not a level", 1),
  violations: m.count("All violations; need not be the sum of the kinds", 2),
  vehicle: Found,
  driver: Found,
  hazmat: Found,
  hazmat_present: m.flag(
    "A placard or a hazmat violation is recorded",
    false,
  ),
  post_crash: m.flag("It followed a crash", false),
}).meta({ id: "RoadsideInspection", description: "One roadside inspection" });

export const Inspections24m = z.object({
  from: m.day("First day counted", "2024-10-04"),
  to: m.day("Last day counted: the inspection file's own date", "2026-10-03"),
  total: m.count("Inspections of every level", 55),
  last_inspection: m.day("Day of the newest", "2026-09-17"),
  violations: m.count("Violations of every kind", 61),
  vehicle: InspectionRate.describe("Levels I, II, V, VI"),
  driver: InspectionRate.describe("Levels I, II, III, VI"),
  hazmat: InspectionRate.describe("Levels I to VI with hazardous materials present"),
  by_month: z.array(z.object({
    from: m.day("First day, in the window", "2026-10-01"),
    to: m.day("Last day, in the window", "2026-10-03"),
    ...INSPECTED,
  })).optional().describe(
    "Calendar months, oldest first, the first and the last as far as they are in the window; one lookup only",
  ),
  by_state: z.array(z.object({ state: m.filed("Null when blank", "OH"), ...INSPECTED }))
    .optional().describe("States that reported inspections, most first; one lookup only"),
  by_level: z.array(z.object({ level: m.integerOrNull("Null when not a level", 1), ...INSPECTED }))
    .optional().describe("Levels, ascending; one lookup only"),
  latest: z.array(RoadsideInspection).optional().describe(
    `The newest ${MAX_INSPECTIONS}, the newest first; one lookup only`,
  ),
}).meta({ id: "Inspections24m", description: "Roadside inspections in the 24-month window" });

const CarrierDocket = z.object({
  prefix: m.text("`MC`, `MX` or `FF`", "MC"),
  number: m.text("Without leading zeros", "186800"),
  status: m.filed(
    "`A`, `I` or `P`; not operating authority. Null when blank, and when the row lists the docket with several",
    "A",
  ),
  statuses: z.array(z.string()).optional().describe(
    "All statuses of a docket that the row lists with several, such as `A` and `I`",
  ),
}).meta({ id: "CarrierDocket", description: "One docket of the census" });

/** Days after which data is stale: FMCSA publishes daily, except over some weekends. */
export const FRESH_DAYS = 3;

/** The day that was asked for. */
export const AsOf = z.iso.date().optional().describe(
  "The day asked for with `as_of`, which then counts as today; absent otherwise",
);

export const SnapshotFacts = z.object({
  id: m.text("The snapshot read", "2026-10-03-c45ce6c33735a36b"),
  data_date: m.day("Date of the census file", "2026-10-03"),
  inspections_date: m.day("Date of the inspection file", "2026-10-02"),
  orders_date: z.iso.date().optional().describe(
    "Date of the out-of-service orders; absent: they are not included",
  ),
  age_days: m.count("Days since `data_date`", 1),
  stale: m.flag(`More than ${FRESH_DAYS} days old`, false),
  as_of: AsOf,
  notice: z.string().optional().describe("Says that the data is a sample; repeat it"),
}).meta({ id: "SnapshotFacts", description: "The snapshot that the answer is from" });

/** Kinds of {@link FileDifference}, in the order of every answer. */
const DIFFERENCE_KINDS = [
  "inactive_but_inspected",
  "intrastate_but_inspected_interstate",
  "placarded_without_hazmat",
  "other_names",
  "not_inspected",
] as const;

export const FileDifference = z.object({
  kind: m.oneOf(DIFFERENCE_KINDS, "Which", "other_names"),
  label: m.text("Name for people", "Inspected under other names"),
  detail: m.text(
    "What each file says, with counts and dates",
    "3 of 55 inspections from Oct 4, 2024 to Oct 3, 2026 name another carrier: ...",
  ),
  inspections: m.count("Inspections concerned", 3),
  first: m.dayOrNull("Day of the first of them", "2025-01-20"),
  last: m.dayOrNull("Day of the last of them", "2026-03-02"),
  names: z.array(z.object({
    name: m.text("As typed at the roadside", "GEN TRANSPORT"),
    inspections: m.count("Inspections under it", 3),
    first: m.day("Day of the first", "2025-01-20"),
    last: m.day("Day of the last", "2026-03-02"),
  })).optional().describe("Names of `other_names`, the most frequent first"),
  explanations: z.array(z.string()).meta({
    description: "Ordinary reasons for it",
    example: ["A leased truck may carry another company's name."],
  }),
}).meta({ id: "FileDifference", description: "Where the two files differ" });

/** Recent changes that are findings, in the order of every answer. */
export const IDENTITY_CHANGES = [
  "name_changed",
  "address_changed",
  "phone_changed",
  "dockets_changed",
  "mail_mark_changed",
] as const;

/** What a {@link Finding} is about: a check, or what the checks don't cover. */
export const FINDING_IDS = [
  ...CHECK_IDS,
  "prior_revocation",
  "unusable_orders",
  "docket_statuses",
  ...DIFFERENCE_KINDS,
  ...IDENTITY_CHANGES,
  "rescinded_orders",
] as const;

export const Finding = z.object({
  kind: m.oneOf(
    ["problem", "review", "fact"],
    "`problem`: the file states it; `review`: it needs a look; `fact`: the files differ, a row contradicts itself, a filed value changed lately or an order was rescinded, which is not an accusation",
    "review",
  ),
  id: m.oneOf(
    FINDING_IDS,
    "The check it comes from, or its subject",
    "operating_authority",
  ),
  text: m.text("In a few words", "No active MC or MX docket: confirm operating authority"),
  detail: m.text(
    "In sentences, with the source and its date",
    "MC 186800: listed inactive (FMCSA's census of Oct 3, 2026).",
  ),
  reasons: z.array(z.string()).meta({
    description: "Ordinary reasons for it",
    example: [],
  }),
}).meta({ id: "Finding", description: "One thing to look at" });

export const CarrierOrder = z.object({
  date: m.dayOrNull("Day of the order; null when unusable", "2026-08-11"),
  reason: m.text("As filed; empty when blank", "Denial of Access"),
  rescinded: m.dayOrNull(
    "Day of the rescission, which may be after the data; null when none is recorded, or when unusable",
    null,
  ),
  unusable: z.object({
    date: m.text("As filed; empty when blank", "2026-13-40"),
    rescinded: m.text("As filed; empty when blank", ""),
  }).optional().describe("Dates as filed that can't be used"),
}).meta({ id: "CarrierOrder", description: "One out-of-service order of FMCSA's file" });

export const Carrier = z.object({
  dot: DotNumber,
  as_of: AsOf,
  name: m.text(
    "The legal name; the DBA name where the census has no legal name",
    "GENERAL TRANSPORT INC",
  ),
  legal_name: m.text("Empty when blank in the census", "GENERAL TRANSPORT INC"),
  dba_name: m.filed("Doing business as", null),
  city: m.text("Empty when blank in the census", "AKRON"),
  state: m.text("State or province code; empty when blank in the census", "OH"),
  status: m.oneOf(
    ["active", "inactive"],
    "Pending counts as `inactive`",
    "active",
  ),
  operation: m.oneOf(
    ["Interstate", "Intrastate Hazmat", "Intrastate Non-Hazmat", "Not reported"],
    "Where the carrier says it operates",
    "Interstate",
  ),
  mc_number: m.filed("First MC docket, active before others", "186800"),
  mc_active: m.flagOrNull(
    "True for A, false for I, else null; not operating authority",
    true,
  ),
  power_units: m.count("0 also when blank: see `not_reported`", 85),
  drivers: m.count("0 also when blank: see `not_reported`", 70),
  safety_rating: m.oneOf(
    ["Satisfactory", "Conditional", "Unsatisfactory", "Not rated"],
    "Rating in the census; its date is in the check",
    "Satisfactory",
  ),
  mcs150: CarrierMcs150,
  inspections_24m: Inspections24m.nullable().describe("Null when there is none in the window"),
  checks: z.array(Check).length(6).describe("Always all six, always in the same order"),
  issues: z.int().min(0).max(6).meta({
    description: "Checks in state `warn` or `bad`; `findings` has these and more",
    example: 0,
  }),
  findings: z.array(Finding).describe(
    "Everything that needs a look, worst first",
  ),
  orders: z.array(CarrierOrder).optional().describe(
    `Out-of-service orders, the newest first, at most ${MAX_ORDERS}; absent where the snapshot has none of any carrier`,
  ),
  orders_total: m.count("How many the file has, where that is more than `orders` lists", 21)
    .optional(),
  verdict: m.text(
    "The first finding and how many more; `No issues found` only without any",
    "Rated Unsatisfactory (and 1 more)",
  ),
  page_url: z.url().meta({
    description: "The carrier's page",
    example: "https://carriers.example/carriers/286764",
  }),
  snapshot: SnapshotFacts,
  dockets: z.array(CarrierDocket).describe("All dockets of the census row"),
  ...FACTS,
  differences: z.array(FileDifference).describe(
    "The findings about differences between the two files, with figures",
  ),
  not_reported: z.array(
    z.enum(["legal_name", "city", "state", "operation", "power_units", "drivers"]),
  ).meta({
    description: "Members the census leaves blank, whose value above is a placeholder",
    example: [],
  }),
  unusable: z.array(z.object({
    member: m.text("As FORMAT.md names it", "mcs150_date"),
    filed: m.filed("As filed, cut; null for a phone number", "20261220"),
  })).meta({ description: "Filed values that can't be used", example: [] }),
}).meta({ id: "Carrier", description: "A carrier with its compliance checks" });

const bracket = z.int().min(1).max(6).meta({ description: "1 to 6", example: 2 });

export const UcrBracket = z.object({
  bracket,
  min_vehicles: m.count("Smallest fleet", 3),
  max_vehicles: m.countOrNull("Largest fleet; null for no upper bound", 5),
  fee_usd: m.count("Whole US dollars", 167),
}).meta({ id: "UcrBracket", description: "One bracket of the UCR fee table" });

export const UcrFee = z.object({
  year: m.integer("Registration year", 2027),
  vehicles: m.count("Commercial vehicles asked for", 4),
  bracket,
  fee_usd: m.count("Whole US dollars", 167),
  brackets: z.array(UcrBracket).describe("The whole table of the year"),
  source: m.text("Legal citation", "49 CFR 367.50; 91 FR 56063 (Sep 1, 2026)"),
}).meta({ id: "UcrFee", description: "The UCR fee of a fleet size" });

export type SnapshotFacts = z.infer<typeof SnapshotFacts>;
export type Basis = z.infer<typeof Basis>;
export type CheckState = z.infer<typeof CheckState>;
export type Check = z.infer<typeof Check>;
export type CheckId = Check["id"];
export type CheckData = Check["data"];
export type Finding = z.infer<typeof Finding>;
export type FindingKind = Finding["kind"];
export type FindingId = Finding["id"];
export type CarrierOrder = z.infer<typeof CarrierOrder>;
export type CarrierMcs150 = z.infer<typeof CarrierMcs150>;
export type Mcs150 = z.infer<typeof Mcs150>;
export type InspectionRate = z.infer<typeof InspectionRate>;
export type RoadsideInspection = z.infer<typeof RoadsideInspection>;
export type FileDifference = z.infer<typeof FileDifference>;
export type Inspections24m = z.infer<typeof Inspections24m>;
export type Carrier = z.infer<typeof Carrier>;
export type UcrBracket = z.infer<typeof UcrBracket>;
export type UcrFee = z.infer<typeof UcrFee>;
