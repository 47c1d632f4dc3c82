/**
 * The emails as text, and the HTML of a text.
 *
 * @module
 */

import { inert, listed, plural } from "../../pipeline/text.ts";
import { formatForPeople } from "../rules/calendar.ts";
import { findingHead } from "../rules/findings.ts";
import { type OfficialSource, REGISTRATION, saferOf } from "../rules/official_sources.ts";
import type { Carrier } from "../rules/schemas.ts";
import { LIFE_MS, LIMITS, type Seen, type Subscription } from "./records.ts";

/** Subject and text of an email: paragraphs, whose lines are not broken, and lists. */
export interface MailText {
  subject: string;
  text: string;
}

export type AlertReason =
  | { kind: "deadline"; due: string; days: number }
  | {
    kind: "status" | "safety_rating" | "mc_active";
    from: Seen[keyof Seen];
    to: Seen[keyof Seen];
  };

/** Days before a deadline on which an alert is sent, the last first. */
export const NOTICE_DAYS = [1, 7, 30] as const;

const LONGEST_NAME = 120;
const LONGEST_IN_SUBJECT = 50;
const LONGEST_NOTICE = 500;

export const NOTICE_TEXT = listed(NOTICE_DAYS.toReversed().map(String));

const WHAT_WE_SEND = `Email ${NOTICE_TEXT} days before an MCS-150 is due, and when a carrier's ` +
  "USDOT status, safety rating or MC docket status changes in FMCSA's files. At most one email a " +
  "day per carrier.";

const INDEPENDENT = "This is an independent service, not FMCSA. It reads FMCSA's public files, " +
  "which can lag the official record.";

/** The page of the link asks which. */
const UNSUBSCRIBE = "Unsubscribe from this carrier or all: ";

type Watched = Pick<Subscription, "dot" | "name">;

/**
 * Answers a sign-up. No name of a carrier is in the subject, nor alone on a line: a stranger may have
 * chosen it for what it says.
 *
 * @param url The link that confirms what waits, or one that unsubscribes when nothing does.
 */
export function signUpText(
  { waiting, known, isFull, url }: {
    waiting: readonly Watched[];
    known: readonly Watched[];
    /** Whether the address has as many subscriptions as it may. */
    isFull: boolean;
    url: string;
  },
): MailText {
  const isNew = waiting.length > 0;
  const asked = isNew ? waiting : known;
  const called = asked.length === 1 ? `USDOT ${asked[0]!.dot}` : plural(asked.length, "carrier");
  const hours = LIFE_MS / 3_600_000;
  return {
    subject: `${isNew ? "Confirm" : "You already get"} email alerts for ${called}`,
    text: paragraphs(
      `You asked for alerts on ${namesText(asked)}`,
      isNew
        ? `To get them, open this page within ${hours} hours and confirm:`
        : "You already get them: there is nothing to do.",
      isNew && url,
      isNew && known.length > 0 && `You already get alerts on ${namesText(known)}`,
      isFull &&
        `That makes ${LIMITS.subscriptions} carriers, as many as an address can watch. If you ` +
          "asked for more, the others are left out.",
      WHAT_WE_SEND,
      `Not you? Ignore this email${known.length === 0 ? "; we'll delete your address" : ""}.`,
      !isNew && UNSUBSCRIBE + url,
      INDEPENDENT,
    ),
  };
}

/** One carrier in a sentence, or several in a list. */
function namesText(subscriptions: readonly Watched[]): string {
  const names = subscriptions.map(({ dot, name = "" }) =>
    nameOf({ dot: String(dot), name }, LONGEST_NAME)
  );
  return names.length === 1 ? `${names[0]}.` : `${names.length} carriers:\n${list(names)}`;
}

function paragraphs(...parts: (string | false)[]): string {
  return `${parts.filter((part) => part !== false).join("\n\n")}\n`;
}

/** What an email says of a carrier. The snapshot's `notice` marks sample data. */
interface MailCarrier extends Pick<Carrier, "dot" | "name" | "page_url" | "verdict" | "findings"> {
  snapshot: { data_date: string; notice?: string | undefined };
}

export function newsText(
  { carrier, reasons }: { carrier: MailCarrier; reasons: readonly AlertReason[] },
  unsubscribeUrl: string,
): MailText {
  const { page_url, snapshot: { data_date, notice } } = carrier;
  const news = reasons.map((reason) => worded(reason, carrier.dot));
  const steps = new Set(news.flatMap(({ next }) => next));
  return {
    subject: `${nameOf(carrier, LONGEST_IN_SUBJECT)}: ${news.map(({ short }) => short).join("; ")}`,
    text: paragraphs(
      nameOf(carrier, LONGEST_NAME),
      list(news.map(({ full }) => full)),
      `In FMCSA's files now: ${carrier.verdict}.`,
      carrier.findings.length > 0 && list(carrier.findings.map(findingHead)),
      `FMCSA data as of ${formatForPeople(data_date)}. All six checks:\n${page_url}`,
      notice !== undefined && inert(notice, LONGEST_NOTICE),
      `What to do next:\n${list(steps)}`,
      UNSUBSCRIBE + unsubscribeUrl,
      INDEPENDENT,
    ),
  };
}

/** An address alone on its line, or after the one label that is ours. */
const LINK = new RegExp(`^( *|${UNSUBSCRIBE})(https?://\\S+)$`, "gm");

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as HTML: its paragraphs and lists, with its addresses as links. */
export function htmlOf(text: string): string {
  const paragraphs = text.trim().split("\n\n").map((paragraph) => {
    const lines = paragraph.replace(/[&<>"]/g, (character) => ENTITIES[character]!)
      .replace(LINK, '$1<a href="$2">$2</a>');
    return `<p>${lines.trim().replace(/\n */g, "<br>\n")}</p>\n`;
  });
  return `<!doctype html>\n<html lang="en">\n<body>\n${paragraphs.join("")}</body>\n</html>\n`;
}

function list(items: Iterable<string>): string {
  return [...items].map((item) => `- ${item}`).join("\n");
}

function nameOf({ name, dot }: Pick<MailCarrier, "name" | "dot">, longest: number): string {
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
