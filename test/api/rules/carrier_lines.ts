/**
 * Carriers of the tables of cases, as `member=value; member=value`, with what differs from {@link DEFAULTS}.
 *
 * - Members are those of a stored record; `-` is a blank. `roles` and `classes` are the census's letters,
 *   `dockets=MC:A,FF:?` a prefix and a status each (`MC:AI` is listed with both, `?` has none).
 * - `mcs150_date=!20261220` is text that the build rejects. It may stand for `added`, `phone`, `operation`,
 *   `power_units`, `dockets`, `rating` and `rating_date` too.
 * - `prior_revoked_dot=own` is the carrier's own number.
 * - `vehicle_inspections=9/1`: nine, one with an out-of-service finding. `all_inspections=21` is the total.
 * - `spans=interstate:3/600/10`: 3 inspections differ from the registration, the first of them 600 days and the last
 *   10 days before the window's end. `roadside_name=NAME:3/300/10`: the same for a name seen at the roadside.
 * - `orders=2026-08-11/Denial of Access/2026-08-20;...`: out-of-service orders, each with its date, reason and
 *   rescission. `!2026-13-40/REASON/-`: an order whose dates are unusable.
 * - `today` and `notice` are days, `census_file`, `inspection_file` and `orders_file` the dates of the files; without
 *   `orders_file`, orders are not included.
 *
 * @module
 */
import { toCarrier } from "../../../api/rules/carrier.ts";
import { compareName } from "../../../pipeline/company_name.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import type {
  CarrierRecord,
  InspectionKind,
  InspectionSpan,
  OutOfServiceOrder,
} from "../../../pipeline/snapshot/record/record.ts";
import { contextOfDays } from "./arbitrary.ts";

const DEFAULTS: Record<string, string> = {
  dot: "286764",
  legal_name: "EXAMPLE TRUCKING LLC",
  dba_name: "-",
  state: "OH",
  status: "A",
  operation: "A",
  roles: "C",
  classes: "F",
  power_units: "10",
  drivers: "10",
  hazmat: "-",
  rating: "-",
  rating_date: "-",
  mcs150_date: "2026-04-01",
  added: "2010-05-01",
  dockets: "MC:A",
  vehicle_inspections: "-",
  driver_inspections: "-",
  hazmat_inspections: "-",
  all_inspections: "-",
  spans: "-",
  roadside_name: "-",
  orders: "-",
  mileage: "-",
  mileage_year: "2025",
  phone: "-",
  prior_revoked: "-",
  prior_revoked_dot: "-",
  today: "2026-11-22",
  census_file: "2026-11-21",
  inspection_file: "2026-11-20",
  orders_file: "-",
  notice: "-",
};

/** Members that are kept with their text when the build rejects it. */
const REJECTABLE = [
  "mcs150_date",
  "added",
  "phone",
  "operation",
  "power_units",
  "dockets",
  "rating",
  "rating_date",
];

const CLASSES: Record<string, string> = {
  F: "AUTHORIZED FOR HIRE",
  X: "EXEMPT FOR HIRE",
  P: "PRIVATE PROPERTY",
  Q: "PRIVATE PASSENGER, BUSINESS",
};

/** The carrier that a line describes; the word `defaults` sets nothing. */
export function carrierOf(inputs: string): Carrier {
  const given = { ...DEFAULTS };
  for (const input of inputs.split("; ").filter((input) => input !== "defaults")) {
    const [member, ...value] = input.split("=");
    if (!(member! in DEFAULTS)) throw new Error(`no input ${member}`);
    given[member!] = value.join("=");
  }
  const day = (name: string) => given[name] === "-" ? undefined : given[name];
  const context = contextOfDays({
    today: given.today!,
    census: given.census_file!,
    inspections: given.inspection_file!,
    orders: day("orders_file"),
    notice: day("notice"),
  });
  return toCarrier(recordOf(given), context);
}

function recordOf(given: Record<string, string>): CarrierRecord {
  const of = (member: string) => /^-$|^!/.test(given[member]!) ? undefined : given[member];
  const numberOf = (member: string) => {
    const text = of(member);
    return text === undefined ? undefined : Number(text);
  };
  const refused = Object.fromEntries(
    REJECTABLE.filter((member) => given[member]!.startsWith("!"))
      // For a phone number that was rejected, the build stores no text.
      .map((member) => [member, member === "phone" ? "" : given[member]!.slice(1)]),
  );
  const isMarked = (member: string) => {
    const text = of(member);
    return text === undefined ? undefined : text === "Y";
  };
  const record: Record<string, unknown> = {
    dot: Number(given.dot),
    legal_name: of("legal_name") ?? "",
    dba_name: of("dba_name"),
    city: of("state") === undefined ? undefined : "AKRON",
    state: of("state"),
    status: given.status,
    operation: of("operation"),
    roles: of("roles")?.split(""),
    classes: of("classes")?.split(",").map((letter) => CLASSES[letter]),
    power_units: numberOf("power_units"),
    drivers: numberOf("drivers"),
    mileage: numberOf("mileage"),
    mileage_year: of("mileage") === undefined ? undefined : Number(given.mileage_year),
    hazmat: isMarked("hazmat"),
    mcs150_date: of("mcs150_date"),
    added: of("added"),
    rating: of("rating"),
    rating_date: of("rating_date"),
    phone: of("phone"),
    prior_revoked: isMarked("prior_revoked"),
    prior_revoked_dot: given.prior_revoked_dot === "own"
      ? Number(given.dot)
      : numberOf("prior_revoked_dot"),
    dockets: of("dockets")?.split(",").map((docket, index) => {
      const [prefix, status] = docket.split(":");
      const statuses = Array.from(status!);
      return {
        prefix,
        number: 700_000 + index,
        ...(status !== "?" && { status: statuses[0] }),
        ...(statuses.length > 1 && { statuses }),
      };
    }),
    inspections: inspectionsOf(given),
    orders: given.orders === "-" ? undefined : given.orders!.split(";").map(orderOf),
    refused: Object.keys(refused).length === 0 ? undefined : refused,
  };
  // Removes undefined members: a blank column has no member in the record.
  return JSON.parse(JSON.stringify(record));
}

/** An order as the build stores it. */
function orderOf(text: string): OutOfServiceOrder {
  const [, isUnusable, date, filed, end] = /^(!?)([^/]*)\/(.*)\/([^/]*)$/.exec(text)!;
  const reason = filed!;
  const rescinded = end === "-" ? "" : end!;
  if (isUnusable) return { reason, unusable: { date: date!, rescinded } };
  return { date: date!, reason, ...(rescinded !== "" && { rescinded }) };
}

function inspectionsOf(given: Record<string, string>): CarrierRecord["inspections"] {
  const kinds = ["vehicle", "driver", "hazmat", "all"].map((kind) => given[`${kind}_inspections`]!);
  if (kinds.every((text) => text === "-")) return undefined;
  const [vehicle, driver, hazmat, all] = kinds.map((text): InspectionKind => {
    const [inspections, out = "0"] = text === "-" ? ["0"] : text.split("/") as [string, string?];
    return { inspections: Number(inspections), out_of_service: Number(out) };
  }) as [InspectionKind, InspectionKind, InspectionKind, InspectionKind];
  const spans = given.spans === "-" ? [] : given.spans!.split(",").map((span) => {
    const [name, numbers] = span.split(":") as [string, string];
    return [name, numbers.split("/").map(Number)] as const;
  });
  const [seen, ...span] = given.roadside_name!.split(/[:/]/) as [string, ...string[]];
  // Compares names as the build does.
  const isOther = seen !== "-" &&
    compareName(seen, {
        legal_name: given.legal_name!,
        dba_name: given.dba_name === "-" ? null : given.dba_name!,
      }).result === "different";
  if (isOther) spans.push(["renamed", span.map(Number)]);
  const renamed = spans.find(([name]) => name === "renamed")?.[1] as InspectionSpan | undefined;
  return {
    total: Math.max(...[vehicle, driver, hazmat, all].map(({ inspections }) => inspections)),
    last: Temporal.PlainDate.from(given.inspection_file!).subtract({ days: 10 }).toString(),
    violations: vehicle.out_of_service + driver.out_of_service,
    vehicle,
    driver,
    hazmat,
    ...Object.fromEntries(spans),
    ...(renamed && { names: [[isOther ? seen : "GEN TRANSPORT", ...renamed]] }),
  };
}
