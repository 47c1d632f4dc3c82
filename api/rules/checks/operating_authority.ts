/**
 * Operating authority, as far as docket records can speak of it: not far. The status of a docket is a
 * flag on its record, not authority; an active flag stands on revoked authority and the other way
 * round. So this check is never `ok` and never `bad`.
 *
 * @module
 */
import type { CarrierRecord, Docket } from "../../../pipeline/snapshot/record.ts";
import type { Check } from "../schemas.ts";
import { censusBasis, type CheckInput } from "./input.ts";
import { FOR_HIRE_CLASS, hasRole, roleWords } from "./roles.ts";

const CITED = {
  citation: "49 U.S.C. 13901 and 13906",
  url: "https://www.law.cornell.edu/uscode/text/49/13901",
};

const STATUS_WORDS: Readonly<Record<string, string>> = {
  A: "active",
  I: "inactive",
  P: "pending",
};

const CONFIRM = "Kind of authority, insurance and revocations are not in this file: look the " +
  "carrier up on SAFER and in Motus before you tender a load.";

const NOT_DISPROVED = "That flag belongs to the docket's record: it does not disprove operating " +
  "authority, and it does not show it either.";

const NOT_SHOWN =
  "Operating authority is not shown active here. The flag of a docket's record can be " +
  "wrong both ways, so this is no proof that authority is missing.";

const NONE_LISTED = "Operating authority is not shown here, which is no proof that it is missing.";

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
  const { record, dataDay } = input;
  const { needed, why, prefixes } = needOf(record);
  const dockets = record.dockets ?? [];
  const active = dockets.some(({ prefix, status }) => status === "A" && prefixes.includes(prefix));
  const parts = [why, listed(dockets, dataDay)];
  if (needed) {
    parts.push(active ? NOT_DISPROVED : dockets.length > 0 ? NOT_SHOWN : NONE_LISTED);
  } else if (dockets.length > 0) {
    parts.push("A docket's flag is not operating authority.");
  }
  if (record.status !== "A") {
    parts.push(
      `The USDOT number itself is ${record.status === "P" ? "pending" : "inactive"}.`,
    );
  }
  parts.push(CONFIRM);
  return {
    id: "operating_authority",
    label: "Operating authority",
    state: needed && !active ? "warn" : "info",
    detail: parts.join(" "),
    basis: censusBasis(input, CITED),
  };
}

function needOf(record: CarrierRecord): Need {
  const { operation, classes } = record;
  const carrier = ["MC", "MX"];
  const any = ["MC", "MX", "FF"];
  if (operation === "B" || operation === "C") {
    return {
      needed: false,
      why: "It is filed as intrastate only, which needs no federal operating authority but may " +
        "need its state's; hauling across state lines for hire would need it.",
      prefixes: any,
    };
  }
  const forHire = operation === "A" && classes?.includes(FOR_HIRE_CLASS);
  if (hasRole(record, "B", "F") && !forHire) {
    return {
      needed: true,
      why: `It is listed as ${roleWords(record)}: brokers and freight forwarders of interstate ` +
        "freight need operating authority.",
      prefixes: any,
    };
  }
  if (operation === undefined || classes === undefined || classes.length === 0) {
    return {
      needed: false,
      why: `The census does not say ${
        operation === undefined ? "whether it runs interstate" : "what kind of carrier it is"
      }, so whether it needs operating authority is unknown.`,
      prefixes: any,
    };
  }
  if (!forHire) {
    return {
      needed: false,
      why: `"${FOR_HIRE_CLASS}" is not among the classes it filed. Private carriers and exempt ` +
        "for-hire carriers need no operating authority; hauling other people's regulated freight " +
        "across state lines for hire would need it.",
      prefixes: any,
    };
  }
  return {
    needed: true,
    why: `It is filed as interstate in the class "${FOR_HIRE_CLASS}", which needs operating ` +
      "authority.",
    prefixes: carrier,
  };
}

function listed(dockets: readonly Docket[], dataDay: string): string {
  if (dockets.length === 0) return `The census of ${dataDay} lists no docket.`;
  const each = dockets.map(({ prefix, number, status }) =>
    `${prefix} ${number} as ${STATUS_WORDS[status ?? ""] ?? "without a status"}`
  );
  return `The census of ${dataDay} lists docket ${each.join(", docket ")}.`;
}
