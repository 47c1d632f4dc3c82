/**
 * One row of the Company Census File as a {@link CarrierRecord}.
 *
 * @module
 */

import { CENSUS_MEMBERS, type CensusMember, type Member } from "../snapshot/record/members.ts";
import type { CarrierRecord, Docket, RefusedMember } from "../snapshot/record/record.ts";
import { type CensusFields, FIELD, problem, reader } from "./census_fields.ts";
import { foldText, parseWholeNumber } from "./fields.ts";

const DOCKET_SLOTS = [1, 2, 3].map((slot) =>
  [
    FIELD[`DOCKET${slot}PREFIX`]!,
    FIELD[`DOCKET${slot}`]!,
    FIELD[`DOCKET${slot}_STATUS_CODE`]!,
  ] as const
);

/** Kinds of members for which a field that is not blank but has no usable value is recorded in `refused`. */
const CAN_REFUSE: readonly Member["kind"][] = [
  "phone",
  "code",
  "flag",
  "count",
  "decimal",
  "day",
];

/** Longest part of a refused text that is kept, in characters. */
const REFUSED_LENGTH = 24;

/** The members to read, in the order of a record. */
const STEPS = Object.entries<Member>(CENSUS_MEMBERS).map(
  ([member, { kind, columns, codes = "" }]) => {
    const name = columns.length === 1 || kind === "address" ? columns[0]! : member;
    const field = FIELD[name]!;
    return {
      member: member as CensusMember,
      field,
      read: reader(kind, field, codes),
      // A blank mailing street is a value when the physical street is filed, so this member must not be
      // skipped.
      isOfOneField: kind !== "address",
      canRefuse: CAN_REFUSE.includes(kind),
    };
  },
);

/**
 * A record without values. Copies of a parsed object share its hidden class. Reading their members is several
 * times as fast as reading those of an object that was built member by member.
 */
const BLANK: Record<string, unknown> = JSON.parse(JSON.stringify(
  ["dot", ...STEPS.map(({ member }) => member), "dockets", "inspections", "refused", "orders"]
    .reduce((blank, name) => ({ ...blank, [name]: null }), {}),
));
for (const name of Object.keys(BLANK)) BLANK[name] = undefined;

/**
 * Makes a record from a row. Members are in the order of the type, so equal facts give equal bytes.
 *
 * @param options.latest The last plausible day, `YYYYMMDD` as a number.
 * @returns Undefined when the status is neither A, I nor P: such a row is neither active nor inactive.
 */
export function toRecord(
  row: CensusFields,
  { latest }: { latest: number },
): CarrierRecord | undefined {
  const status = row.text(FIELD.STATUS_CODE!).trim();
  if (status !== "A" && status !== "I" && status !== "P") {
    row.problem("bad_status", "STATUS_CODE", status);
    return undefined;
  }
  const record = { ...BLANK } as unknown as CarrierRecord & Record<CensusMember, unknown>;
  record.dot = row.dot;
  for (let i = 0; i < STEPS.length; i++) {
    const { member, field, read, isOfOneField, canRefuse } = STEPS[i]!;
    if (isOfOneField && row.isBlank(field)) continue;
    const value = read(row, latest);
    if (value !== undefined) record[member] = value as never;
    else if (canRefuse) refuse(record, member as RefusedMember, row.text(field));
  }
  record.legal_name ??= "";
  if (record.rating === undefined) record.rating_date = undefined!;
  // A missing mileage is filed as 0 without a year.
  if (record.mileage === 0 && record.mileage_year === undefined) record.mileage = undefined!;
  record.dockets = dockets(row, record)!;
  return record;
}

function refuse(record: CarrierRecord, member: RefusedMember, filed: string): void {
  const { text } = foldText(filed);
  if (text === "") return;
  // A text that is not a phone number may still be personal data.
  const kept = member === "phone" ? "" : text.slice(0, REFUSED_LENGTH).toWellFormed();
  (record.refused ??= {})[member] = kept;
}

/** All usable dockets of the three slots; a repeated one keeps its position and all its statuses. */
function dockets(row: CensusFields, record: CarrierRecord): Docket[] | undefined {
  let found: Docket[] | undefined;
  for (const [prefixField, numberField, statusField] of DOCKET_SLOTS) {
    const digits = row.text(numberField).trim();
    if (digits === "") continue;
    const prefix = row.text(prefixField).trim();
    const parsed = parseWholeNumber(digits);
    if (parsed.kind === "number" && parsed.value === 0 && prefix === "") continue;
    if (parsed.kind !== "number" || parsed.value === 0 || !/^[A-Z]{1,3}$/.test(prefix)) {
      problem(row, "bad_docket", numberField, `${prefix} ${digits}`);
      refuse(record, "dockets", `${prefix} ${digits}`);
      continue;
    }
    if (parsed.float) problem(row, "float_number", numberField, digits);
    const status = row.text(statusField).trim();
    const twin = found?.find((d) => d.number === parsed.value && d.prefix === prefix);
    if (twin) {
      problem(row, "repeated_docket", numberField, `${prefix} ${digits}`);
      addStatus(twin, status);
    } else {
      const docket: Docket = { prefix, number: parsed.value };
      if (status !== "") docket.status = status;
      (found ??= []).push(docket);
    }
  }
  return found;
}

/** Adds the status of another slot. The best status counts where a single one is needed, and all are kept. */
function addStatus(docket: Docket, status: string): void {
  const { status: first = status, statuses = [first] } = docket;
  if (status === "") return;
  docket.status = first;
  if (statuses.includes(status)) return;
  docket.statuses = [...statuses, status].toSorted((a, b) => statusRank(b) - statusRank(a));
  docket.status = docket.statuses[0]!;
}

/** Active before pending before inactive before anything else. */
export function statusRank(status: string): number {
  return status === "A" ? 3 : status === "P" ? 2 : status === "I" ? 1 : 0;
}
