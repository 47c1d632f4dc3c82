/**
 * What a carrier filed, fact by fact in words, for its page, its vetting record and comparisons.
 *
 * @module
 */

import { formatForPeople } from "../../../api/rules/calendar.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import {
  addressLine,
  fleetCount,
  fleetParts,
  mileageWords,
  placeOf,
  statusWord,
  yesOrNo,
} from "../../../api/rules/words.ts";
import { capitalized, inert } from "../../../pipeline/text.ts";

const NOT_REPORTED = "Not reported";

/** What to call a carrier: its name, or its number where nothing of a name can be seen. */
export function calledName({ name, dot }: Pick<Carrier, "name" | "dot">): string {
  return inert(name) === "" ? `USDOT ${dot}` : name;
}

/** The facts by their labels; null for what is shown only when it is known. */
export function factsOf(carrier: Carrier) {
  const { mailing_address, undeliverable, added, mileage, dockets } = carrier;
  return {
    "Legal name": carrier.legal_name || NOT_REPORTED,
    "Doing business as": carrier.dba_name ?? "None on file",
    "Business form": carrier.business_form,
    "Physical address": addressLine(carrier.address) || NOT_REPORTED,
    "Mailing address": mailing_address && addressLine(mailing_address),
    "Phone": carrier.phone,
    "DUNS": carrier.duns,
    "Undeliverable mail": undeliverableWords(undeliverable),
    "In FMCSA's file since": added && formatForPeople(added),
    "Operation": carrier.operation,
    "Registered as": capitalized(carrier.roles.join(", ")) || NOT_REPORTED,
    "Classifications": carrier.classes.join(", ") || NOT_REPORTED,
    "Hazmat": capitalized(yesOrNo(carrier.hazmat)),
    "Passengers": capitalized(yesOrNo(carrier.passengers)),
    "Mileage": mileage && mileageWords(mileage),
    "Cargo": carrier.cargo.join(", ") || "None marked",
    "Other cargo": carrier.other_cargo,
    "Power units": capitalized(fleetCount(carrier, "power_units")),
    "Drivers": capitalized(fleetCount(carrier, "drivers")),
    "Fleet": fleetWords(carrier),
    "Dockets":
      dockets.map((docket) => `${docket.prefix} ${docket.number} (listed ${statusWord(docket)})`)
        .join(", ") || "None on file",
    "Location": placeOf(carrier) || NOT_REPORTED,
  } satisfies Record<string, string | null>;
}

type FactLabel = keyof ReturnType<typeof factsOf>;

/** Some facts, in the order of their labels. */
export function someFacts(
  carrier: Carrier,
  labels: readonly FactLabel[],
): [FactLabel, string | null][] {
  const facts = factsOf(carrier);
  return labels.map((label) => [label, facts[label]]);
}

/** `85 power units · 70 drivers`. */
function fleetWords(carrier: Carrier): string {
  const { not_reported } = carrier;
  return not_reported.includes("power_units") && not_reported.includes("drivers")
    ? NOT_REPORTED
    : fleetParts(carrier).join(" · ");
}

function undeliverableWords(
  { physical, mail_returned }: Carrier["undeliverable"],
): string | null {
  const marked = [
    ...physical ? ["physical address marked"] : [],
    ...mail_returned === null ? [] : [`mailing address marked ${formatForPeople(mail_returned)}`],
  ];
  return marked.length === 0 ? null : capitalized(marked.join("; "));
}
