/**
 * Operating authority, as far as docket records can show it. A docket's status is a flag on its record,
 * not authority: some revoked authority has an active flag, and some active authority an inactive one.
 * So this check is never `ok` and never `bad`.
 *
 * @module
 */
import type { CarrierRecord } from "../../pipeline/snapshot/record/record.ts";
import { listed, quoted } from "../../pipeline/text.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import type { Check, Finding } from "./schemas.ts";
import { type CheckInput, type CheckResult, FOR_HIRE_CLASS } from "./check.ts";
import { hasRole, roleWords } from "./roles.ts";
import { docketName, docketWords, isListedActive, STATUS_WORDS, statusWord } from "./words.ts";

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

const ONE_MAY_BE_OLD = "One of the two entries may be out of date; the file doesn't say which.";

/**
 * `warn` only when the filed operation needs authority and no docket that could be for it is flagged active,
 * otherwise `info`. An inactive docket beside an active one is usually an old one, so it is no finding.
 */
export function checkOperatingAuthority({ record, census }: CheckInput): CheckResult {
  const { dockets = [], status, refused } = record;
  const { why, carriers, applies } = needOf(record);
  const lacking = carriers !== undefined &&
    !dockets.some((docket) => isListedActive(docket) && carriers.includes(docket.prefix));
  const unclear = dockets.find(({ prefix, statuses }) =>
    statuses?.includes("A") && carriers?.includes(prefix)
  );
  const noneActive = unclear === undefined
    ? `No active ${listed(carriers ?? [], "or")} docket`
    : `${docketName(unclear)} is listed ${statusWord(unclear)}`;
  const shown = dockets.find(isListedActive) ?? unclear ?? dockets[0];
  const none = refused?.dockets === undefined
    ? "No MC, MX or FF docket on file"
    : `The filed docket ${quoted(refused.dockets)} isn't usable`;
  return {
    state: lacking ? "warn" : "info",
    data: !applies
      ? "not_applicable"
      : dockets.length > 0 || carriers !== undefined
      ? "used"
      : refused?.dockets === undefined
      ? "missing"
      : "unusable",
    summary: `${shown === undefined ? none : docketWords(shown, dockets.length)}; ${
      applies
        ? "confirm authority and insurance on SAFER"
        : "not needed for its registered operation"
    }`,
    detail: [
      why,
      dockets.length > 0
        ? `${dockets.map((docket) => docketWords(docket)).join(", ")} (${census}).`
        : `${none} (${census}).`,
      ...(lacking
        ? [
          unclear === undefined
            ? `${noneActive} in that file; that doesn't prove authority is missing.`
            : `That file doesn't say which status of ${docketName(unclear)} holds.`,
        ]
        : dockets.length > 0
        ? ["Docket status isn't operating authority."]
        : []),
      ...(status === "A" ? [] : [`The USDOT number is ${STATUS_WORDS[status]}.`]),
      ...(applies || dockets.length > 0 ? [CONFIRM] : []),
    ],
    cited: CITED,
    ...(lacking && {
      found: {
        text: `${noneActive}: confirm operating authority`,
        reasons: unclear !== undefined ? [ONE_MAY_BE_OLD] : [
          "Authority can be active even if its docket is listed inactive.",
          "A docket granted since the date of the file isn't in it.",
        ],
      },
    }),
  };
}

/**
 * Dockets that the row lists with several statuses; none if the authority check already asks to confirm them.
 */
export function docketStatuses({ record, census }: CheckInput, check: Check): Finding[] {
  const unclear = (record.dockets ?? []).filter(({ statuses }) => statuses !== undefined);
  if (unclear.length === 0 || check.state === "warn") return [];
  const words = unclear.map((one) => `${docketName(one)} is listed ${statusWord(one)}`);
  return [{
    kind: "fact",
    id: "docket_statuses",
    text: listed(words),
    detail: `${listed(words)} (${census}). ${CONFIRM}`,
    reasons: [ONE_MAY_BE_OLD],
  }];
}

interface AuthorityNeed {
  why: string;
  /** Prefixes of dockets that could be for the authority; absent when it is not certain that any is needed. */
  carriers?: readonly string[];
  /** False when the filed operation needs no federal authority. */
  applies: boolean;
}

/**
 * Whether the filed operation needs federal authority. Roles come before CARRIER_OPERATION, which
 * describes trucks: a broker has none.
 */
function needOf(record: CarrierRecord): AuthorityNeed {
  const { operation, classes = [] } = record;
  const brokers = hasRole(record, "B", "F");
  if (operation === "A" && classes.includes(FOR_HIRE_CLASS)) {
    const also = brokers
      ? ` As ${roleWords(record)} it also needs a broker or freight forwarder license.`
      : "";
    return {
      why: `Registered interstate, authorized for-hire: operating authority is required.${also}`,
      carriers: ["MC", "MX"],
      applies: true,
    };
  }
  if (brokers) {
    return {
      why: `Registered as ${roleWords(record)}: brokers and freight forwarders of interstate ` +
        "freight need operating authority, regardless of the trucks they run.",
      carriers: ["MC", "MX", "FF"],
      applies: true,
    };
  }
  if (operation === "B" || operation === "C") {
    return {
      why:
        "Registered as intrastate, which needs no federal operating authority but may need its " +
        "state's. For-hire transportation in interstate commerce, including legs within one state, " +
        "would need it.",
      applies: false,
    };
  }
  if (operation === undefined || classes.length === 0) {
    const blank = operation === undefined
      ? "whether it operates interstate"
      : "what kind of carrier it is";
    return {
      why: `The census doesn't say ${blank}, so whether it needs operating authority is unknown.`,
      applies: true,
    };
  }
  return {
    why: `"${FOR_HIRE_CLASS}" is not among its registered classes. Private carriers and exempt ` +
      "for-hire carriers need no operating authority; carrying other people's regulated freight " +
      "for hire in interstate commerce, including legs within one state, would need it.",
    applies: false,
  };
}
