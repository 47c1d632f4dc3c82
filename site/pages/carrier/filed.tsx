/**
 * What the census has of a carrier: a line for each subject, which opens to all of it.
 *
 * @module
 */

import { MOTUS_FROM } from "../../../api/rules/authority_check.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import { reachWords } from "../../../api/rules/facts.ts";
import { DATAQS, REGISTRATION, saferOf } from "../../../api/rules/official_sources.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import {
  addressLine,
  docketWords,
  fleetCount,
  fleetParts,
  mainDocket,
  statusWord,
  yesOrNo,
} from "../../../api/rules/words.ts";
import { capitalized, counted } from "../../../pipeline/text.ts";
import { type Fact, Facts, Table } from "../../components/blocks.tsx";
import { Fold } from "../../components/fold.tsx";
import { Name, Outside } from "../../components/text.tsx";
import { someFacts } from "./facts.ts";
import { InspectionTables } from "./inspection_tables.tsx";

export function Filed({ carrier }: { carrier: Carrier }) {
  const { inspections_24m, snapshot: { data_date, notice } } = carrier;
  const day = formatForPeople(data_date);
  return (
    <section aria-labelledby="filed">
      <h2 id="filed">
        On file <small>{notice === undefined ? "FMCSA's census" : "Sample"} of {day}</small>
      </h2>
      <div class="folds">
        <Company carrier={carrier} />
        <Operation carrier={carrier} />
        <Equipment carrier={carrier} />
        <Dockets carrier={carrier} />
        <Safety carrier={carrier} />
        {inspections_24m !== null && <InspectionTables inspections={inspections_24m} />}
        <Elsewhere dot={carrier.dot} />
      </div>
      <p class="printed">
        {carrier.page_url} · snapshot {carrier.snapshot.id}{" "}
        · for a dated record, print the vetting record
      </p>
    </section>
  );
}

function Company({ carrier }: { carrier: Carrier }) {
  const line = [carrier.business_form ?? "", addressLine(carrier.address)];
  return (
    <Fold
      id="company"
      label="Company"
      line={<Name text={line.filter((part) => part !== "").join(" · ")} />}
    >
      <Facts
        entries={someFacts(carrier, [
          "Legal name",
          "Doing business as",
          "Business form",
          "Physical address",
          "Mailing address",
          "Phone",
          "DUNS",
          "Undeliverable mail",
          "In FMCSA's file since",
        ])}
      />
      <p class="soft">
        The day a record was created, reactivated or updated is not the age of the company or of its
        authority.
      </p>
    </Fold>
  );
}

function Operation({ carrier }: { carrier: Carrier }) {
  const { operation, classes, cargo: [first, ...more] } = carrier;
  const line = [
    operation,
    ...classes.slice(0, 1),
    ...first === undefined
      ? []
      : [more.length === 0 ? first : `${first} and ${counted(more.length)} more`],
  ];
  return (
    <Fold id="operation" label="Operation and cargo" line={<Name text={line.join(" · ")} />}>
      <Facts
        entries={someFacts(carrier, [
          "Operation",
          "Registered as",
          "Classifications",
          "Hazmat",
          "Passengers",
          "Mileage",
          "Cargo",
          "Other cargo",
        ])}
      />
    </Fold>
  );
}

/** `1 school bus`, `84 tractors`. */
function vehicleWords(count: number, kind: string): string {
  const many = kind.replaceAll("_", " ");
  return `${counted(count)} ${count === 1 ? many.replace(/(?<=bus|ach)es$|s$/, "") : many}`;
}

function Equipment({ carrier }: { carrier: Carrier }) {
  const { vehicles, drivers_by_reach } = carrier;
  const kinds = vehicles.map(({ kind, owned, term_leased, trip_leased }) =>
    vehicleWords(owned + term_leased + trip_leased, kind)
  );
  const line = [
    ...kinds.length === 0
      ? [`Power units ${fleetCount(carrier, "power_units")}`]
      : kinds.slice(0, 3),
    fleetParts(carrier)[1],
  ];
  return (
    <Fold id="equipment" label="Equipment and drivers" line={line.join(" · ")}>
      <Facts
        entries={[
          ...someFacts(carrier, ["Power units", "Drivers"]),
          ...Object.entries(drivers_by_reach ?? {}).map(([name, count]): Fact => [
            `Drivers ${reachWords(name)}`,
            count && counted(count),
          ]),
        ]}
      />
      {vehicles.length > 0 && (
        <Table
          caption="Vehicles as filed"
          heads={["Kind", "Owned", "Term-leased", "Trip-leased"]}
          rows={vehicles.map(({ kind, owned, term_leased, trip_leased }) => [
            capitalized(kind.replaceAll("_", " ")),
            counted(owned),
            counted(term_leased),
            counted(trip_leased),
          ])}
        />
      )}
    </Fold>
  );
}

/** The dockets with their flags, and what those are not. */
function Dockets({ carrier: { dockets } }: { carrier: Carrier }) {
  const first = mainDocket(dockets) ?? dockets[0];
  const line = first === undefined ? "None on file" : docketWords(first, dockets.length);
  return (
    <Fold id="dockets" label="Dockets" line={line}>
      {dockets.length > 0 && (
        <ul>
          {dockets.map((docket) => (
            <li>
              <span class="number">{docket.prefix} {docket.number}</span>: listed{" "}
              {statusWord(docket)}
            </li>
          ))}
        </ul>
      )}
      <p class="soft">
        Docket status isn't operating authority. Confirm authority in Motus or on SAFER.
      </p>
    </Fold>
  );
}

function Safety({ carrier }: { carrier: Carrier }) {
  const { safety_rating, rating_date, review, recordable_crash_rate, prior_revocation } = carrier;
  const rating = rating_date === null
    ? safety_rating
    : `${safety_rating} on ${formatForPeople(rating_date)}`;
  const type = review &&
    (review.name ?? (review.type === null ? "Review" : `Review of type ${review.type}`));
  const reviewed = review &&
    (review.date === null ? type : `${type}, ${formatForPeople(review.date)}`);
  const revoked = prior_revocation?.revoked ?? null;
  return (
    <Fold
      id="safety"
      label="Reviews"
      line={[reviewed ?? "No review on file", ...revoked ? ["prior revocation filed"] : []].join(
        " · ",
      )}
    >
      <Facts
        entries={[
          ["Safety rating", rating],
          ["Last review", reviewed ?? "None on file"],
          ["Recordable crash rate", recordable_crash_rate && String(recordable_crash_rate)],
          ["Prior revocation, as filed by the carrier", capitalized(yesOrNo(revoked))],
          [
            "USDOT number revoked",
            prior_revocation?.dot &&
            <a href={`/carriers/${prior_revocation.dot}`}>{prior_revocation.dot}</a>,
          ],
        ]}
      />
      <p class="soft">
        Crash records, insurance and out-of-service orders are in neither file: see SAFER.
      </p>
    </Fold>
  );
}

/** The official record and the way to correct it. */
function Elsewhere({ dot }: { dot: string }) {
  return (
    <Fold
      id="elsewhere"
      label="Official record"
      line="Where to confirm, and how to correct a record"
    >
      <ul>
        <li>
          Status, insurance and crashes: <Outside place={saferOf(dot)} />.
        </li>
        <li>
          Operating authority and other registration activity after {formatForPeople(MOTUS_FROM)}:
          {" "}
          <Outside place={REGISTRATION} />.
        </li>
        <li>
          Your own record is wrong? File an MCS-150 update through{" "}
          <Outside place={REGISTRATION} text="FMCSA registration" />; dispute an inspection in{" "}
          <Outside place={DATAQS} />. Corrections appear here with a later snapshot.
        </li>
        <li>
          <a href={`/api/v1/carriers/${dot}`}>This page as JSON</a>
        </li>
      </ul>
    </Fold>
  );
}
