/**
 * Operating authority, as far as docket records can show it. The status of a docket is a flag on its
 * record, not authority: some revoked authority has an active flag, and some active authority an
 * inactive one. So this check is never `ok` and never `bad`.
 *
 * @module
 */
import type { CarrierRecord } from "../../pipeline/snapshot/record.ts";
import { formatForPeople } from "./calendar.ts";
import { type CheckInput, type Finding, FOR_HIRE_CLASS } from "./check.ts";
import { hasRole, roleWords } from "./roles.ts";
import { docketWords } from "./words.ts";

const CITED = {
  citation: "49 U.S.C. 13901 to 13906",
  url: "https://www.law.cornell.edu/uscode/text/49/13901",
};

/** FMCSA points to Motus for registration activity after this day. */
export const MOTUS_FROM = "2026-05-18";

const CONFIRM =
  "FMCSA's census and inspection files have no grants or revocations of authority and " +
  `no insurance filings: confirm in Motus (activity after ${
    formatForPeople(MOTUS_FROM)
  }), then on ` +
  "SAFER.";

/**
 * `warn` when the filed operation needs authority and no docket that could carry it is flagged active;
 * else `info`.
 */
export function checkOperatingAuthority({ record, census }: CheckInput): Finding {
  const { dockets = [], status } = record;
  const { why, carriers } = needOf(record);
  const lacking = carriers !== undefined &&
    !dockets.some(({ prefix, status }) => status === "A" && carriers.includes(prefix));
  const shown = dockets.find(({ status }) => status === "A") ?? dockets[0];
  const summary = shown === undefined
    ? "No MC, MX or FF docket on file"
    : docketWords(shown, dockets.length);
  return {
    state: lacking ? "warn" : "info",
    summary: `${summary}; confirm authority and insurance on SAFER`,
    detail: [
      why,
      dockets.length === 0
        ? `No docket in ${census}.`
        : `${dockets.map((docket) => docketWords(docket)).join(", ")} (${census}).`,
      ...(lacking
        ? ["No docket that could carry it is listed active; that doesn't prove it is missing."]
        : dockets.length > 0
        ? ["Docket status isn't operating authority."]
        : []),
      ...(status === "A"
        ? []
        : [`The USDOT number is ${status === "P" ? "pending" : "inactive"}.`]),
      CONFIRM,
    ],
    cited: CITED,
  };
}

/**
 * Whether the filed operation needs federal authority, and the prefixes of dockets that could carry it
 * if it does. Roles come before CARRIER_OPERATION, which describes trucks: a broker has none.
 */
function needOf(record: CarrierRecord): { why: string; carriers?: readonly string[] } {
  const { operation, classes = [] } = record;
  const brokers = hasRole(record, "B", "F");
  if (operation === "A" && classes.includes(FOR_HIRE_CLASS)) {
    const also = brokers
      ? ` As ${roleWords(record)} it also needs a broker or freight forwarder license.`
      : "";
    return {
      why: `Registered interstate, authorized for-hire: operating authority is required.${also}`,
      carriers: ["MC", "MX"],
    };
  }
  if (brokers) {
    return {
      why: `Registered as ${roleWords(record)}: brokers and freight forwarders of interstate ` +
        "freight need operating authority, regardless of the trucks they run.",
      carriers: ["MC", "MX", "FF"],
    };
  }
  if (operation === "B" || operation === "C") {
    return {
      why:
        "Registered as intrastate, which needs no federal operating authority but may need its " +
        "state's. For-hire transportation in interstate commerce, legs within one state included, " +
        "would need it.",
    };
  }
  if (operation === undefined || classes.length === 0) {
    const blank = operation === undefined
      ? "whether it operates interstate"
      : "what kind of carrier it is";
    return {
      why: `The census doesn't say ${blank}, so whether it needs operating authority is unknown.`,
    };
  }
  return {
    why: `"${FOR_HIRE_CLASS}" is not among its registered classes. Private carriers and exempt ` +
      "for-hire carriers need no operating authority; carrying other people's regulated freight " +
      "for hire in interstate commerce, legs within one state included, would need it.",
  };
}
