/**
 * The emails as text, and the HTML of a text.
 *
 * @module
 */

import { inert, listed, plural } from "../../pipeline/text.ts";
import type { Watched } from "../operations/watched.ts";
import { formatForPeople } from "../../pipeline/dates.ts";
import { findingHead } from "../rules/findings.ts";
import type { Carrier } from "../rules/schemas.ts";
import { kindLabel, kindsOf } from "./kinds.ts";
import { type AlertReason, type ReasonText, reasonText } from "./reasons.ts";
import { ALERT_LIMITS, LIFE_MS, type Subscription } from "./records.ts";

/** Subject and text of an email. The text consists of paragraphs and lists, and its lines are not wrapped. */
export interface MailText {
  subject: string;
  text: string;
}

const LONGEST_NAME = 120;
const LONGEST_IN_SUBJECT = 50;
const LONGEST_NOTICE = 500;

/** Maximum number of changes and inspections listed in an email; the page that it links to has the others. */
const MOST_LINES = 20;

/** Maximum number of reasons named in a subject. */
const MOST_IN_SUBJECT = 4;

const INDEPENDENT = "This is an independent service, not FMCSA. It reads FMCSA's public files, " +
  "which can lag the official record.";

/** The linked page asks whether to end one subscription or all. */
const UNSUBSCRIBE = "Unsubscribe from this carrier or all: ";

type Asked = Pick<Subscription, "dot" | "name" | "kinds">;

/**
 * The email that answers a sign-up. No carrier name is in the subject or alone on a line, because a stranger
 * may have picked the carrier to send its name to someone.
 *
 * @param url The link that confirms the waiting subscriptions or, if none are waiting, a link that
 *   unsubscribes.
 */
export function signUpText(
  { waiting, known, isFull, url }: {
    waiting: readonly Asked[];
    known: readonly Asked[];
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
      isNew &&
        `What you'll get, in at most one email a day per carrier:\n${kindsText(waiting[0]!)}`,
      isNew && known.length > 0 && `You already get alerts on ${namesText(known)}`,
      ...Map.groupBy(known, (one) => kindsOf(one).join()).values().map(alreadyText),
      known.length > 0 && "To choose other alerts, unsubscribe, then sign up again.",
      isFull &&
        `That makes ${ALERT_LIMITS.subscriptions} carriers, the most one address can watch. If you ` +
          "asked for more, the others are left out.",
      `Not you? Ignore this email${known.length === 0 ? "; we'll delete your address" : ""}.`,
      !isNew && UNSUBSCRIBE + url,
      INDEPENDENT,
    ),
  };
}

/** The kinds of news of a subscription, as a list. */
function kindsText(subscription: Asked): string {
  return list(kindsOf(subscription).map(kindLabel));
}

/**
 * The kinds of news of confirmed subscriptions. A sign-up does not change them, because a stranger may have
 * typed the address.
 */
function alreadyText(known: readonly Asked[]): string {
  const dots = known.map(({ dot }) => String(dot));
  return `For USDOT ${listed(dots)}, in at most one email a day:\n${kindsText(known[0]!)}`;
}

/** One carrier in a sentence, or several in a list. */
function namesText(subscriptions: readonly Asked[]): string {
  const names = subscriptions.map(({ dot, name = "" }) =>
    nameOf({ dot: String(dot), name }, LONGEST_NAME)
  );
  return names.length === 1 ? `${names[0]}.` : `${names.length} carriers:\n${list(names)}`;
}

function paragraphs(...parts: (string | false)[]): string {
  return `${parts.filter((part) => part !== false).join("\n\n")}\n`;
}

/** What an email says about a carrier. The snapshot's `notice` marks sample data. */
interface MailCarrier extends Pick<Carrier, "dot" | "name" | "page_url"> {
  /** What the files say now, as a sentence, and as findings. */
  standing: string;
  findings: Carrier["findings"];
  snapshot: { data_date: string; notice?: string | undefined };
}

/** @param name The carrier's name at the sign-up, for one that is no longer in the census. */
export function mailCarrierOf(
  { dot, carrier, absence, page_url, snapshot }: Watched,
  name: string,
): MailCarrier {
  const [called, standing] = carrier === null
    ? [name, `USDOT ${dot} is ${absence}.`]
    : [carrier.name, `In FMCSA's files now: ${carrier.verdict}.`];
  return { dot, name: called, page_url, standing, findings: carrier?.findings ?? [], snapshot };
}

export function newsText(
  { carrier, reasons }: { carrier: MailCarrier; reasons: readonly AlertReason[] },
  unsubscribeUrl: string,
): MailText {
  const { page_url, snapshot: { data_date, notice } } = carrier;
  const news = reasons.map((reason) => reasonText(reason, carrier.dot));
  const lines = news.flatMap(({ full }) => full);
  const more = lines.length - MOST_LINES;
  const steps = new Set(news.flatMap(({ next }) => next));
  return {
    subject: `${nameOf(carrier, LONGEST_IN_SUBJECT)}: ${shortText(reasons, news)}`,
    text: paragraphs(
      nameOf(carrier, LONGEST_NAME),
      list(lines.slice(0, MOST_LINES)),
      more > 0 && `And ${more} more: see the page below.`,
      carrier.standing,
      carrier.findings.length > 0 && list(carrier.findings.map(findingHead)),
      `FMCSA data as of ${formatForPeople(data_date)}. More on the carrier's page:\n${page_url}`,
      notice !== undefined && inert(notice, LONGEST_NOTICE),
      `What to do next:\n${list(steps)}`,
      `If this is your company, correct its record:\n${correctionPage(carrier)}`,
      UNSUBSCRIBE + unsubscribeUrl,
      INDEPENDENT,
    ),
  };
}

function correctionPage({ dot, page_url }: MailCarrier): string {
  return String(new URL(`/your-company?dot=${dot}`, page_url));
}

/** The reasons in a few words; for several changes of a member only the newest, which comes first. */
function shortText(reasons: readonly AlertReason[], news: readonly ReasonText[]): string {
  const shorts = new Map<string, string>();
  for (const [i, reason] of reasons.entries()) {
    const about = reason.kind === "change" ? reason.change.member : reason.kind;
    if (!shorts.has(about)) shorts.set(about, news[i]!.short);
  }
  const different = [...new Set(shorts.values())];
  const shown = different.slice(0, MOST_IN_SUBJECT).join("; ");
  const more = different.length - MOST_IN_SUBJECT;
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

/** A URL alone on its line, or after the one label that we write. */
const LINK = new RegExp(`^( *|${UNSUBSCRIBE})(https?://\\S+)$`, "gm");

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as HTML: paragraphs, lists, and URLs as links. */
export function mailHtml(text: string): string {
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
