/**
 * Carriers in a one-line notation:
 *
 * - `dot name dba state status op roles class units drivers hm rating=LETTER@DATE filed added mc insp notice` are facts
 *   about a carrier, and `today census inspections` are days. `-` is a blank.
 * - `insp=v9/1,d12/0,h0/0,t21`: inspections and out-of-service findings for vehicle, driver and hazmat, and the total.
 * - `span=interstate:3/600/10`: 3 inspections differ from the registration, the first of them 600 days and the last
 *   10 days before the window's end. `seen=NAME:3/300/10`: the same for a name seen at the roadside.
 * - `filed=!20261220`: text that the build rejects. This also works for `added`, `phone`, `op`, `units`, `mc`, the letter
 *   of `rating` and its date.
 * - `revoked=Y@123`: a prior revocation of USDOT 123; `own` is the carrier's own number.
 * - `orders=2026-08-11/Denial_of_Access/2026-08-20;...`: out-of-service orders, each with its date, reason and
 *   rescission. `!2026-13-40/REASON/-`: an order whose dates are unusable.
 * - `oosdate`: the date of the file of orders; `-` when orders are not included.
 *
 * @module
 */
import { toCarrier } from "../../../api/rules/carrier.ts";
import { compareName } from "../../../pipeline/company_name.ts";
import type { Carrier, CheckId } from "../../../api/rules/schemas.ts";
import type {
  CarrierRecord,
  InspectionKind,
  InspectionSpan,
  OutOfServiceOrder,
} from "../../../pipeline/snapshot/record/record.ts";
import { type ContextDays, contextOfDays } from "./arbitrary.ts";

const DEFAULTS: Record<string, string> = {
  dot: "286764",
  name: "EXAMPLE_TRUCKING_LLC",
  dba: "-",
  state: "OH",
  status: "A",
  op: "A",
  roles: "C",
  class: "F",
  units: "10",
  drivers: "10",
  hm: "-",
  rating: "-",
  filed: "2026-04-01",
  added: "2010-05-01",
  mc: "MC:A",
  insp: "-",
  orders: "-",
  oosdate: "-",
  span: "-",
  miles: "-",
  milesyear: "2025",
  phone: "-",
  revoked: "-@-",
  seen: "-",
  today: "2026-11-22",
  census: "2026-11-21",
  inspections: "2026-11-20",
  notice: "-",
};

const CLASSES: Record<string, string> = {
  F: "AUTHORIZED FOR HIRE",
  X: "EXEMPT FOR HIRE",
  P: "PRIVATE PROPERTY",
  Q: "PRIVATE PASSENGER, BUSINESS",
};

/** Checks by their names in the tables. */
export const CHECKS: Record<string, CheckId> = {
  status: "usdot_status",
  filing: "mcs150",
  auth: "operating_authority",
  rating: "safety_rating",
  oos: "oos_rates",
  ucr: "ucr",
};

/** The carrier that a line describes; the word `defaults` sets nothing. */
export function carrierOf(inputs: string): Carrier {
  const given = { ...DEFAULTS };
  for (const input of inputs.split(" ").filter((input) => input !== "defaults")) {
    const [key, ...value] = input.split("=");
    if (!(key! in DEFAULTS)) throw new Error(`no input ${key}`);
    given[key!] = value.join("=");
  }
  const { today, census, inspections, notice } = given as Record<keyof ContextDays, string>;
  const days = {
    today,
    census,
    inspections,
    orders: given.oosdate === "-" ? undefined : given.oosdate,
    notice: notice === "-" ? undefined : notice,
  };
  return toCarrier(recordOf(given), contextOfDays(days));
}

function recordOf(given: Record<string, string>): CarrierRecord {
  const of = (key: string) => /^-$|^!/.test(given[key]!) ? undefined : given[key];
  const refused = Object.fromEntries(
    Object.entries({
      mcs150_date: given.filed,
      added: given.added,
      phone: given.phone,
      operation: given.op,
      power_units: given.units,
      dockets: given.mc,
      rating: given.rating!.split("@")[0],
      rating_date: given.rating!.split("@")[1] ?? "",
    }).filter(([, text]) => text!.startsWith("!"))
      // For a phone number that was rejected, the build stores no text.
      .map(([member, text]) => [member, member === "phone" ? "" : text!.slice(1)]),
  );
  const [revoked, revokedDot] = given.revoked!.split("@") as [string, string];
  const record: Record<string, unknown> = {
    dot: Number(given.dot),
    legal_name: of("name")?.replaceAll("_", " ") ?? "",
    dba_name: of("dba")?.replaceAll("_", " "),
    city: of("state") === undefined ? undefined : "AKRON",
    state: of("state"),
    status: given.status,
    operation: of("op"),
    roles: of("roles")?.split(""),
    classes: of("class")?.split(",").map((letter) => CLASSES[letter]),
    power_units: of("units") === undefined ? undefined : Number(given.units),
    drivers: of("drivers") === undefined ? undefined : Number(given.drivers),
    mileage: of("miles") === undefined ? undefined : Number(given.miles),
    mileage_year: of("miles") === undefined ? undefined : Number(given.milesyear),
    hazmat: of("hm") === undefined ? undefined : given.hm === "Y",
    mcs150_date: of("filed"),
    added: of("added"),
    rating: of("rating")?.[0],
    rating_date: /@[-!]/.test(given.rating!) ? undefined : of("rating")?.slice(2),
    phone: of("phone"),
    prior_revoked: revoked === "-" ? undefined : revoked === "Y",
    prior_revoked_dot: revokedDot === "-"
      ? undefined
      : Number(revokedDot === "own" ? given.dot : revokedDot),
    dockets: of("mc")?.split(",").map((docket, index) => {
      const [prefix, status] = docket.split(":");
      // `MC:AI` is listed with two statuses.
      const statuses = Array.from(status!);
      return {
        prefix,
        number: 700_000 + index,
        ...(status !== "?" && { status: statuses[0] }),
        ...(statuses.length > 1 && { statuses }),
      };
    }),
    inspections: of("insp") === undefined ? undefined : inspectionsOf(given),
    orders: given.orders === "-" ? undefined : given.orders!.split(";").map(orderOf),
    refused: Object.keys(refused).length === 0 ? undefined : refused,
  };
  // Removes undefined members: a blank column has no member in the record.
  return JSON.parse(JSON.stringify(record));
}

/** An order as the build stores it. */
function orderOf(text: string): OutOfServiceOrder {
  const [, isUnusable, date, filed, end] = /^(!?)([^/]*)\/(.*)\/([^/]*)$/.exec(text)!;
  const reason = filed!.replaceAll("_", " ");
  const rescinded = end === "-" ? "" : end!;
  if (isUnusable) return { reason, unusable: { date: date!, rescinded } };
  return { date: date!, reason, ...(rescinded !== "" && { rescinded }) };
}

function inspectionsOf(given: Record<string, string>): CarrierRecord["inspections"] {
  const count = (letter: string): InspectionKind => {
    const [, inspections, out] = new RegExp(`${letter}(\\d+)/?(\\d*)`).exec(given.insp!) ?? [];
    return { inspections: Number(inspections ?? 0), out_of_service: Number(out || 0) };
  };
  const spans = given.span === "-" ? [] : given.span!.split(",").map((span) => {
    const [name, numbers] = span.split(":") as [string, string];
    return [name, numbers.split("/").map(Number)] as const;
  });
  const [seen, ...span] = given.seen!.split(/[:/]/);
  // Compares names as the build does.
  const isOther = given.seen !== "-" &&
    compareName(seen!.replaceAll("_", " "), {
        legal_name: given.name!.replaceAll("_", " "),
        dba_name: given.dba === "-" ? null : given.dba!.replaceAll("_", " "),
      }).result === "different";
  if (isOther) spans.push(["renamed", span.map(Number)]);
  const renamed = spans.find(([name]) => name === "renamed")?.[1] as InspectionSpan | undefined;
  const [vehicle, driver, hazmat, total] = [count("v"), count("d"), count("h"), count("t")];
  return {
    total: Math.max(...[vehicle, driver, hazmat, total].map(({ inspections }) => inspections)),
    last: Temporal.PlainDate.from(given.inspections!).subtract({ days: 10 }).toString(),
    violations: vehicle.out_of_service + driver.out_of_service,
    vehicle,
    driver,
    hazmat,
    ...Object.fromEntries(spans),
    ...(renamed && {
      names: [[isOther ? seen!.replaceAll("_", " ") : "GEN TRANSPORT", ...renamed]],
    }),
  };
}
