/**
 * The mails in words. Text only: nothing in it is read as markup, and names cannot break out of their line.
 *
 * @module
 */

import { formatForPeople } from "../rules/calendar.ts";
import type { Carrier } from "../rules/schemas.ts";
import { NOTICE_DAYS, type Reason } from "./news.ts";
import { LIFE_MS } from "./records.ts";

/** What stands in a mail. */
export interface Letter {
  subject: string;
  text: string;
}

const HOURS = LIFE_MS / 3_600_000;
const LONGEST_NAME = 120;
const LONGEST_IN_SUBJECT = 50;

const WHAT_WE_WRITE = `We write when the carrier's MCS-150 update falls due (${
  NOTICE_DAYS.toReversed().join(", ")
}
days before) and when its status, safety rating or MC status changes, at
most once a day.`;

const INDEPENDENT = `This is an independent service, not the regulator. It reads the regulator's
public files, which may lag the official record.`;

/**
 * Asks for a confirmation. It does not name the carrier: a stranger may have typed the address, and
 * chosen a carrier for what its name says.
 */
export function confirmLetter(dot: number, confirmUrl: string): Letter {
  return {
    subject: `Confirm e-mail alerts for USDOT ${dot}`,
    text: `Somebody, probably you, asked for e-mail alerts about USDOT ${dot} to this
address. To get them, open this page within ${HOURS} hours and confirm:

${confirmUrl}

${WHAT_WE_WRITE}

If it was not you, do nothing: you will get no alerts, and the address is
forgotten.

${INDEPENDENT}
`,
  };
}

/** Answers a sign-up for what is confirmed already. */
export function knownLetter(dot: number, unsubscribeUrl: string): Letter {
  return {
    subject: `You have e-mail alerts for USDOT ${dot}`,
    text: `Somebody, probably you, asked for e-mail alerts about USDOT ${dot} to this
address. You get them already: there is nothing to do.

${WHAT_WE_WRITE}

To get them no more: ${unsubscribeUrl}

${INDEPENDENT}
`,
  };
}

/** Tells what is new about a carrier. */
export function newsLetter(
  carrier: Carrier,
  { reasons, unsubscribeUrl }: { reasons: readonly Reason[]; unsubscribeUrl: string },
): Letter {
  const { dot, name, snapshot, page_url } = carrier;
  const short = reasons.map(inShort).join("; ");
  const whole = reasons.map((reason) => `- ${inFull(reason)}\n`).join("");
  return {
    subject: `${inert(name, LONGEST_IN_SUBJECT)} (USDOT ${dot}): ${short}`,
    text: `${inert(name, LONGEST_NAME)} (USDOT ${dot})

${whole}
As of ${formatForPeople(snapshot.data_date)}. The six checks, and where to look further:
${page_url}

${INDEPENDENT}

To get no more mails about this carrier: ${unsubscribeUrl}
`,
  };
}

/** A name on one line, without what turns, hides or joins text, and not longer than is read. */
export function inert(name: string, longest: number): string {
  const clean = name.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...clean];
  if (characters.length <= longest) return clean === "" ? "Carrier without a name" : clean;
  return `${characters.slice(0, longest - 1).join("")}…`;
}

function inShort(reason: Reason): string {
  switch (reason.kind) {
    case "deadline":
      return `MCS-150 update due ${inDays(reason.days)}`;
    case "status":
      return `now ${reason.to}`;
    case "safety_rating":
      return `rating now ${reason.to}`;
    case "mc_active":
      return `MC docket now ${docket(reason.to)}`;
  }
}

function inFull(reason: Reason): string {
  switch (reason.kind) {
    case "deadline":
      return `The MCS-150 update is due by ${formatForPeople(reason.due)}, ${inDays(reason.days)}.`;
    case "status":
      return `The USDOT status changed from ${reason.from} to ${reason.to}.`;
    case "safety_rating":
      return `The safety rating changed from ${reason.from} to ${reason.to}.`;
    case "mc_active":
      return `The status of the MC docket changed from ${docket(reason.from)} to ` +
        `${docket(reason.to)}.`;
  }
}

function inDays(days: number): string {
  if (days === 0) return "today";
  return days === 1 ? "tomorrow" : `in ${days} days`;
}

function docket(active: unknown): string {
  if (active === null) return "not stated";
  return active ? "active" : "inactive";
}
