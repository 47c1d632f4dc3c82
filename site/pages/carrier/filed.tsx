/**
 * What the census has of a carrier: a line for each subject, which opens to all of it.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { MOTUS_FROM } from "../../../api/rules/authority_check.ts";
import { formatForPeople } from "../../../api/rules/calendar.ts";
import { type CarrierAddress, reachWords } from "../../../api/rules/facts.ts";
import { DATAQS, REGISTRATION, saferOf } from "../../../api/rules/official_sources.ts";
import type { Carrier } from "../../../api/rules/schemas.ts";
import {
  addressLine,
  docketWords,
  fleetCount,
  fleetParts,
  mainDocket,
  mileageWords,
  statusWord,
  yesOrNo,
} from "../../../api/rules/words.ts";
import { capitalized, counted, inert, listed } from "../../../pipeline/text.ts";
import { Table } from "../../components/blocks.tsx";
import { Fold } from "../../components/fold.tsx";
import { Name, Outside } from "../../components/text.tsx";
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

type Entry = readonly [name: string, value: Child];

/** The facts that are known; a null is left out. */
function Facts(
  { entries }: { entries: readonly (readonly [name: string, value: Child | null])[] },
) {
  return (
    <dl class="facts">
      {entries.filter((entry): entry is Entry => entry[1] !== null).map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Company({ carrier }: { carrier: Carrier }) {
  const { legal_name, dba_name, address, mailing_address, undeliverable, added } = carrier;
  const place = addressLine(address);
  const form = carrier.business_form;
  const line = [form === null ? "" : inert(form), place].filter((part) => part !== "");
  return (
    <Fold id="company" label="Company" line={<Name text={line.join(" · ")} />}>
      <Facts
        entries={[
          ["Legal name", <Name text={legal_name} />],
          ["Doing business as", dba_name === null ? "none on file" : <Name text={dba_name} />],
          ["Business form", form && <Name text={form} />],
          ["Physical address", <Address address={address} />],
          ["Mailing address", mailing_address && <Address address={mailing_address} />],
          ["Phone", carrier.phone && <Name text={carrier.phone} />],
          ["DUNS", carrier.duns && <Name text={carrier.duns} />],
          [
            "Undeliverable mail",
            undeliverable.physical || undeliverable.mail_returned !== null
              ? [
                ...undeliverable.physical ? ["physical address marked"] : [],
                ...undeliverable.mail_returned === null
                  ? []
                  : [`mailing address marked ${formatForPeople(undeliverable.mail_returned)}`],
              ].join("; ")
              : null,
          ],
          ["In FMCSA's file since", added && formatForPeople(added)],
        ]}
      />
      <p class="soft">
        The day a record was created, reactivated or updated is not the age of the company or of its
        authority.
      </p>
    </Fold>
  );
}

function Address({ address }: { address: CarrierAddress }) {
  return <Name text={addressLine(address)} />;
}

function Operation({ carrier }: { carrier: Carrier }) {
  const { operation, roles, classes, hazmat, passengers, cargo, other_cargo, mileage } = carrier;
  const [first, ...more] = cargo;
  const line = [
    operation,
    ...classes.slice(0, 1).map((name) => inert(name)),
    ...first === undefined
      ? []
      : [more.length === 0 ? first : `${first} and ${counted(more.length)} more`],
  ];
  return (
    <Fold id="operation" label="Operation and cargo" line={<Name text={line.join(" · ")} />}>
      <Facts
        entries={[
          ["Operation", operation],
          ["Registered as", roles.length === 0 ? "not reported" : capitalized(listed(roles))],
          [
            "Classifications",
            classes.length === 0 ? "not reported" : <Name text={classes.join(", ")} />,
          ],
          ["Hazardous materials", yesOrNo(hazmat)],
          ["Passengers", yesOrNo(passengers)],
          [
            "Mileage",
            mileage && mileageWords(mileage),
          ],
          ["Cargo", cargo.length === 0 ? "none marked" : cargo.join(", ")],
          ["Other cargo", other_cargo && <Name text={other_cargo} />],
        ]}
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
  const units = fleetCount(carrier, "power_units");
  const line = [
    ...kinds.length === 0 ? [`Power units ${units}`] : kinds.slice(0, 3),
    fleetParts(carrier)[1],
  ];
  return (
    <Fold id="equipment" label="Equipment and drivers" line={line.join(" · ")}>
      <Facts
        entries={[
          ["Power units", units],
          ["Drivers", fleetCount(carrier, "drivers")],
          ...Object.entries(drivers_by_reach ?? {}).map(([name, count]) =>
            [
              `Drivers ${reachWords(name)}`,
              count && counted(count),
            ] as const
          ),
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
          ["Last review", reviewed ?? "none on file"],
          [
            "Recordable crash rate",
            recordable_crash_rate === null ? null : String(recordable_crash_rate),
          ],
          ["Prior revocation, as filed by the carrier", yesOrNo(revoked)],
          [
            "USDOT number revoked",
            prior_revocation?.dot
              ? <a href={`/carriers/${prior_revocation.dot}`}>{prior_revocation.dot}</a>
              : null,
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
