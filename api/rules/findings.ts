/**
 * Everything about a carrier that needs review, as one list that every page, file and answer shows, and
 * its headline.
 *
 * @module
 */
import type { PastSnapshot } from "../../pipeline/snapshot/chain.ts";
import { plural } from "../../pipeline/text.ts";
import { docketStatuses } from "./authority_check.ts";
import type { Checked, CheckInput } from "./check.ts";
import {
  type Check,
  CHECK_IDS,
  type CheckId,
  type FileDifference,
  type Finding,
  type FindingKind,
} from "./schemas.ts";
import { identityChanges } from "./identity_changes.ts";
import { rescindedOrders, unusableOrders } from "./orders.ts";

/** The checks, the most important first. */
const BY_WEIGHT: readonly CheckId[] = [
  "usdot_status",
  "safety_rating",
  "mcs150",
  "operating_authority",
  "oos_rates",
  "ucr",
];

/**
 * The findings in order: checks in state `bad`, checks in state `warn`, what other checks leave open, a
 * prior revocation, orders with unusable dates, dockets with several statuses, differences between the two
 * files, recent changes of identity, and rescinded orders.
 */
export function findingsOf(
  input: CheckInput,
  { checked, differences, chain }: {
    checked: readonly Checked[];
    differences: readonly FileDifference[];
    /** The chain of snapshots, which dates the record's changes. */
    chain: readonly PastSnapshot[];
  },
): Finding[] {
  const byWeight = BY_WEIGHT.map((id) => checked.find(({ check }) => check.id === id)!);
  const ofState = (state: Check["state"], kind: Finding["kind"]): Finding[] =>
    byWeight.flatMap(({ check, found }) =>
      check.state !== state || found === undefined
        ? []
        : [{ kind, id: check.id, text: found.text, detail: check.detail, reasons: found.reasons }]
    );
  return [
    ...ofState("bad", "problem"),
    ...ofState("warn", "review"),
    ...ofState("info", "review"),
    ...priorRevocation(input),
    ...unusableOrders(input),
    ...docketStatuses(
      input,
      byWeight.find(({ check }) => check.id === "operating_authority")!.check,
    ),
    ...differences.map(({ kind, label, detail, inspections, explanations }): Finding => ({
      kind: "fact",
      id: kind,
      text: inspections === 0 ? label : `${label} (${plural(inspections, "inspection")})`,
      detail,
      reasons: explanations,
    })),
    ...identityChanges(input, chain),
    ...rescindedOrders(input),
  ];
}

function priorRevocation({ record, census }: CheckInput): Finding[] {
  const { dot, prior_revoked, prior_revoked_dot: revoked } = record;
  if (prior_revoked !== true) return [];
  const other = revoked === undefined || revoked === 0 || revoked === dot ? undefined : revoked;
  const whose = other !== undefined
    ? `another USDOT number, ${other}, was revoked. Look up USDOT ${other}, too.`
    : revoked === dot
    ? "this USDOT number's registration was once revoked."
    : "a registration was once revoked, without naming its USDOT number.";
  return [{
    kind: "review",
    id: "prior_revocation",
    text: other === undefined
      ? "Prior revocation filed"
      : `Prior revocation filed, of USDOT ${other}`,
    detail: `The carrier filed that ${whose} Source: ${census}.`,
    reasons: [
      "The carrier answers this question itself, and the answer has no date.",
      "A registration can be reinstated after a revocation.",
    ],
  }];
}

/**
 * The headline, without a period: the first problem or review and the number of other findings. If all
 * findings are facts, their number; `No issues found` if there are no findings.
 */
export function verdictOf(
  findings: readonly Pick<Finding, "kind" | "text">[],
  checks: readonly Check[],
): string {
  const [first, ...others] = findings;
  if (first === undefined) return `No issues found${lacking(checks)}`;
  if (first.kind === "fact") {
    return `No issues in the six checks; ${plural(findings.length, "fact")} to look at`;
  }
  return others.length === 0 ? first.text : `${first.text} (and ${others.length} more)`;
}

/**
 * `; 2 of 6 checks have no data`, or empty. Checks that don't apply and estimates don't count as lacking
 * data.
 */
function lacking(checks: readonly Check[]): string {
  const lack = checks.filter(({ data }) => data === "missing" || data === "unusable");
  if (lack.length === 0) return "";
  const data = lack.some((check) => check.data === "unusable") ? "usable data" : "data";
  return `; ${lack.length} of ${checks.length} checks ${
    lack.length === 1 ? "has" : "have"
  } no ${data}`;
}

export const KIND_WORDS: Readonly<Record<FindingKind, string>> = {
  problem: "Problem",
  review: "Review",
  fact: "Fact",
};

/** Whether a finding comes from a check, whose detail has the rest. */
export function isOfCheck({ id }: Pick<Finding, "id">): boolean {
  return (CHECK_IDS as readonly string[]).includes(id);
}

/** A finding in a few words: `Review: Registration pending`. */
export function findingHead({ kind, text }: Pick<Finding, "kind" | "text">): string {
  return `${KIND_WORDS[kind]}: ${text}`;
}

/** A finding as sentences, for text that also lists the checks: the detail of a check is not repeated. */
export function findingLine(
  finding: Omit<Finding, "detail"> & { detail?: string | undefined },
): string {
  const { detail = "", reasons } = finding;
  return [
    `${findingHead(finding)}.`,
    ...(isOfCheck(finding) || detail === "" ? [] : [detail]),
    ...(reasons.length === 0 ? [] : [`Possible reasons: ${reasons.join(" ")}`]),
  ].join(" ");
}
