/**
 * Operating authority, as far as docket records can show it. The status of a docket is a flag on its
 * record, not authority: some revoked authority has an active flag, and some active authority an
 * inactive one. So this check is never `ok` and never `bad`.
 *
 * @module
 */
import type { CarrierRecord, Docket } from "../../pipeline/snapshot/record.ts";
import { formatForPeople } from "./calendar.ts";
import type { Check } from "./schemas.ts";
import { census, censusBasis, type CheckInput, FOR_HIRE_CLASS } from "./check_input.ts";
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

/** Whether the filed operation needs federal authority, and why. */
interface Need {
  needed: boolean;
  why: string;
  /** Docket prefixes that could carry the authority needed. */
  prefixes: readonly string[];
}

/**
 * `warn` when the filed operation needs authority and no docket that could carry it is flagged active;
 * else `info`.
 */
export function checkOperatingAuthority(input: CheckInput): Check {
  const { record } = input;
  const { needed, why, prefixes } = needOf(record);
  const dockets = record.dockets ?? [];
  const active = dockets.some(({ prefix, status }) => status === "A" && prefixes.includes(prefix));
  const parts = [why, listed(dockets, census(input))];
  if (needed && !active) {
    parts.push("No docket that could carry it is listed active; that doesn't prove it is missing.");
  } else if (dockets.length > 0) {
    parts.push("Docket status isn't operating authority.");
  }
  if (record.status !== "A") {
    parts.push(`The USDOT number is ${record.status === "P" ? "pending" : "inactive"}.`);
  }
  parts.push(CONFIRM);
  return {
    id: "operating_authority",
    label: "Operating authority",
    state: needed && !active ? "warn" : "info",
    summary: `${summaryOf(dockets)}; confirm authority and insurance on SAFER`,
    detail: parts.join(" "),
    basis: censusBasis(input, CITED),
  };
}

/** Roles come before CARRIER_OPERATION, which describes trucks: a broker has none. */
function needOf(record: CarrierRecord): Need {
  const { operation, classes } = record;
  const any = ["MC", "MX", "FF"];
  if (operation === "A" && classes?.includes(FOR_HIRE_CLASS)) {
    return {
      needed: true,
      why: "Registered interstate, authorized for-hire: operating authority is required." +
        (hasRole(record, "B", "F")
          ? ` As ${roleWords(record)} it also needs a broker or freight forwarder license.`
          : ""),
      prefixes: ["MC", "MX"],
    };
  }
  if (hasRole(record, "B", "F")) {
    return {
      needed: true,
      why: `Registered as ${roleWords(record)}: brokers and freight forwarders of interstate ` +
        "freight need operating authority, regardless of the trucks they run.",
      prefixes: any,
    };
  }
  if (operation === "B" || operation === "C") {
    return {
      needed: false,
      why:
        "Registered as intrastate, which needs no federal operating authority but may need its " +
        "state's. For-hire transportation in interstate commerce, legs within one state included, " +
        "would need it.",
      prefixes: any,
    };
  }
  if (operation === undefined || classes === undefined || classes.length === 0) {
    return {
      needed: false,
      why: `The census doesn't say ${
        operation === undefined ? "whether it operates interstate" : "what kind of carrier it is"
      }, so whether it needs operating authority is unknown.`,
      prefixes: any,
    };
  }
  return {
    needed: false,
    why: `"${FOR_HIRE_CLASS}" is not among its registered classes. Private carriers and exempt ` +
      "for-hire carriers need no operating authority; carrying other people's regulated freight " +
      "for hire in interstate commerce, legs within one state included, would need it.",
    prefixes: any,
  };
}

/** The first docket, an active one before others. */
function summaryOf(dockets: readonly Docket[]): string {
  const shown = dockets.find(({ status }) => status === "A") ?? dockets[0];
  return shown === undefined
    ? "No MC, MX or FF docket on file"
    : docketWords(shown, dockets.length);
}

function listed(dockets: readonly Docket[], source: string): string {
  if (dockets.length === 0) return `No docket in ${source}.`;
  return `${dockets.map((docket) => docketWords(docket)).join(", ")} (${source}).`;
}
