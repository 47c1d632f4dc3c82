/**
 * The emails as text, and the HTML of a text.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";
import { formatForPeople } from "../rules/calendar.ts";
import { type OfficialSource, REGISTRATION, saferOf } from "../rules/official_sources.ts";
import type { Carrier } from "../rules/schemas.ts";
import { LIFE_MS, NOTICE_TEXT, type Seen } from "./records.ts";

/** Subject and text of an email. */
interface MailText {
  subject: string;
  text: string;
}

/** A reason for an email. */
export type AlertReason =
  | { kind: "deadline"; due: string; days: number }
  | {
    kind: "status" | "safety_rating" | "mc_active";
    from: Seen[keyof Seen];
    to: Seen[keyof Seen];
  };

const LONGEST_NAME = 120;
const LONGEST_IN_SUBJECT = 50;
const LONGEST_NOTICE = 500;

const WHAT_WE_SEND = `Email ${NOTICE_TEXT} days before an MCS-150 is due, and when the carrier's
USDOT status, safety rating or MC docket status changes in FMCSA's files. At most
one email a day per carrier.`;

const INDEPENDENT = `This is an independent service, not FMCSA. It reads FMCSA's public files, which
can lag the official record.`;

/** Asks for confirmation. Without the carrier's name: a stranger may have chosen it for what it says. */
export function confirmText(dot: number, confirmUrl: string): MailText {
  return {
    subject: `Confirm email alerts for USDOT ${dot}`,
    text: `You asked for alerts on USDOT ${dot}. To get them, open this page within
${LIFE_MS / 3_600_000} hours and confirm:

${confirmUrl}

${WHAT_WE_SEND}

Not you? Ignore this email; we'll delete your address.

${INDEPENDENT}
`,
  };
}

/** Answers a sign-up for a subscription that is confirmed. */
export function knownText(dot: number, unsubscribeUrl: string): MailText {
  return {
    subject: `You already get email alerts for USDOT ${dot}`,
    text: `You asked for alerts on USDOT ${dot}. You already get them: there is nothing
to do.

${WHAT_WE_SEND}

Not you? Ignore this email.

Unsubscribe: ${unsubscribeUrl}

${INDEPENDENT}
`,
  };
}

/** What an email says of a carrier. The snapshot's `notice` marks sample data. */
interface MailCarrier extends Pick<Carrier, "dot" | "name" | "page_url"> {
  snapshot: { data_date: string; notice?: string | undefined };
}

/** Says what is new about a carrier, and what to do about it. */
export function newsText(
  carrier: MailCarrier,
  { reasons, unsubscribeUrl }: { reasons: readonly AlertReason[]; unsubscribeUrl: string },
): MailText {
  const { page_url, snapshot: { data_date, notice } } = carrier;
  const news = reasons.map((reason) => worded(reason, carrier.dot));
  return {
    subject: `${nameOf(carrier, LONGEST_IN_SUBJECT)}: ${news.map(({ short }) => short).join("; ")}`,
    text: `${nameOf(carrier, LONGEST_NAME)}

${list(news.map(({ full }) => full))}
FMCSA data as of ${formatForPeople(data_date)}. All six checks:
${page_url}
${notice === undefined ? "" : `\n${inert(notice, LONGEST_NOTICE)}\n`}
What to do next:
${list(new Set(news.flatMap(({ next }) => next)))}
Unsubscribe: ${unsubscribeUrl}

${INDEPENDENT}
`,
  };
}

/** An address alone on its line, or after the one label that is ours. */
const LINK = /^( *|Unsubscribe: )(https?:\/\/\S+)$/gm;

/** Lines that are broken only for their length. */
const SOFT_BREAK = /\n(?!- | *https?:)/g;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as HTML: its paragraphs and lists, with its addresses as links. */
export function htmlOf(text: string): string {
  const paragraphs = text.trim().split("\n\n").map((paragraph) => {
    const lines = paragraph.replace(SOFT_BREAK, " ").replace(/[&<>"]/g, (c) => ENTITIES[c]!)
      .replace(LINK, '$1<a href="$2">$2</a>');
    return `<p>${lines.trim().replace(/\n */g, "<br>\n")}</p>\n`;
  });
  return `<!doctype html>\n<html lang="en">\n<body>\n${paragraphs.join("")}</body>\n</html>\n`;
}

function list(items: Iterable<string>): string {
  return [...items].map((item) => `- ${item}\n`).join("");
}

function nameOf({ name, dot }: MailCarrier, longest: number): string {
  const called = inert(name, longest);
  return called === "" ? `USDOT ${dot}` : `${called} (USDOT ${dot})`;
}

/** A reason for the subject, for the text, and what to do about it. */
function worded(reason: AlertReason, dot: string): { short: string; full: string; next: string[] } {
  const safer = saferOf(dot);
  switch (reason.kind) {
    case "deadline": {
      const { due, days } = reason;
      const when = days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`;
      return {
        short: `MCS-150 due ${when}`,
        full: `The MCS-150 update is due by ${formatForPeople(due)}, ${when}.`,
        next: [step("Your company? File the update, even if nothing changed", REGISTRATION)],
      };
    }
    case "status":
      return {
        short: `now ${reason.to}`,
        full: `USDOT status changed from ${reason.from} to ${reason.to}.`,
        next: reason.to === "active"
          ? [step("Confirm the status before you tender a load", safer)]
          : [
            step("Vetting this carrier? Wait until SAFER shows it as active", safer),
            step("Your company? Reactivate the number first", REGISTRATION),
          ],
      };
    case "safety_rating":
      return {
        short: `safety rating now ${reason.to}`,
        full: `Safety rating changed from ${reason.from} to ${reason.to}.`,
        next: [step("Confirm the rating and its date before you tender a load", safer)],
      };
    case "mc_active":
      return {
        short: `MC docket now ${docket(reason.to)}`,
        full: `MC docket status changed from ${docket(reason.from)} to ${docket(reason.to)}. ` +
          "Docket status isn't operating authority.",
        next: [step("Confirm operating authority before you tender a load", safer)],
      };
  }
}

function step(text: string, { url }: OfficialSource): string {
  return `${text}:\n  ${url}`;
}

function docket(active: unknown): string {
  if (active === null) return "not stated";
  return active ? "active" : "inactive";
}
