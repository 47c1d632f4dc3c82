/**
 * `/alerts`: the sign-up for email alerts.
 *
 * @module
 */

import { NOTICE_TEXT } from "../../api/alerts/mail_text.ts";
import { LIMITS } from "../../api/alerts/records.ts";
import type { SignUpAnswer } from "../../api/alerts/sign_up.ts";
import { fill } from "../../api/discovery/texts.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import type { Carrier } from "../../api/rules/schemas.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { listed } from "../../pipeline/text.ts";
import { named, readDotField, readList } from "../bulk/numbers.ts";
import { readForm } from "../bulk/upload.ts";
import { Field, Name } from "../components/blocks.tsx";
import type { Page } from "../components/layout.tsx";
import { sentPage } from "./alert_links.tsx";
import { Markdown } from "../components/markdown.tsx";
import TERMS from "../content/alerts.md" with { type: "text" };
import PAGES from "../content/pages.json" with { type: "json" };
import { lookUp, type PageRoute, type Visit } from "./route.ts";

const PATH = "/alerts";

const MOST = LIMITS.subscriptions;

/** Characters of a text of as many numbers, generously. */
const LONGEST = 40 * MOST;

/** The same with an address, percent-encoded. */
const FORM_BYTES = 3 * LONGEST + 1_000;

/** Problems of a text that are named. */
const NAMED = 5;

interface Form {
  address: string;
  dot: string;
  addressProblem?: string;
  dotProblem?: string;
  /** An error that belongs to no field. */
  problem?: string;
}

export const alertsRoute: PageRoute = {
  path: PATH,
  listed: true,
  answer(visit) {
    const dot = visit.url.searchParams.getAll("dot").join("\n").slice(0, LONGEST);
    return formPage(visit, { address: "", dot });
  },
};

/** The form, sent. The address reaches the alerts only: no URL, no log, no cached page. */
export const alertsSentRoute: PageRoute = {
  path: PATH,
  method: "POST",
  cost: PAGE_COSTS.result,
  async answer(visit) {
    const { request, site, client, trace } = visit;
    trace.untimed = true;
    const fields = await readForm(request, { limitBytes: FORM_BYTES, arrivalMs: 10_000 });
    const [address, dot] = ["address", "dot"].map((name) => String(fields.get(name) ?? ""));
    const form: Form = { address: address!, dot: dot! };
    const read = readDots(form.dot);
    if ("problem" in read) {
      return { ...await formPage(visit, { ...form, dotProblem: read.problem }), status: 400 };
    }
    const answer = await site.alerts.signUp({ address: form.address, ...read, client });
    if (answer.outcome === "accepted") return sentPage(answer.carriers);
    const { problems, ...status } = refusalOf(answer);
    return { ...await formPage(visit, { ...form, ...problems }), ...status };
  },
};

/** The numbers of the form, or what is wrong with them, in words without a period. */
function readDots(text: string): { dots: number[] } | { problem: string } {
  const { numbers, unread } = readList(text, MOST);
  if (numbers.length > MOST) return { problem: `Enter at most ${MOST} numbers` };
  if (numbers.length + unread.length < 2) {
    const read = readDotField(text);
    return "problem" in read ? read : { dots: [read.dot] };
  }
  const problems = [
    ...unread.map(({ text, problem }) => `“${text}”: ${problem}`),
    ...numbers.filter(({ kind }) => kind !== "USDOT")
      .map((number) => `${named(number)}: enter the carrier's USDOT number`),
  ];
  if (problems.length > NAMED) problems.splice(NAMED, Infinity, "and more");
  return problems.length > 0
    ? { problem: problems.join("; ") }
    : { dots: numbers.map(({ number }) => number) };
}

interface Refusal {
  status: 400 | 429 | 503;
  retryAfter?: number;
  problems: Partial<Form>;
}

function refusalOf(answer: Exclude<SignUpAnswer, { outcome: "accepted" }>): Refusal {
  switch (answer.outcome) {
    case "invalid_address":
      return { status: 400, problems: { addressProblem: "We can't send email to this address" } };
    case "unknown_carriers": {
      const are = answer.dots.length === 1 ? "is" : "are";
      const dotProblem = `USDOT ${listed(answer.dots.map(String))} ${are} not in the data`;
      return { status: 400, problems: { dotProblem } };
    }
    case "too_many": {
      const { retryAfter } = answer;
      const minutes = Math.ceil(retryAfter / 60);
      const problem =
        `Too many sign-ups from your network address. Try again in ${minutes} minutes`;
      return { status: 429, retryAfter, problems: { problem } };
    }
    case "paused": {
      const problem = "Sign-ups are paused: too many were received today. Try again tomorrow";
      return { status: 503, retryAfter: answer.retryAfter, problems: { problem } };
    }
    case "off":
      return { status: 503, retryAfter: 60, problems: {} };
    case "unavailable": {
      const problem = "Can't take sign-ups right now. Try again in a few minutes";
      return { status: 503, retryAfter: 60, problems: { problem } };
    }
  }
}

async function formPage(visit: Visit, form: Form): Promise<Page> {
  const carrier = await namedBy(visit, form.dot);
  return {
    ...PAGES.alerts,
    body: (
      <>
        {carrier !== undefined && (
          <p>
            For{" "}
            <strong>
              <Name text={carrier.name} />
            </strong>, <a href={`/carriers/${carrier.dot}`}>USDOT {carrier.dot}</a>
          </p>
        )}
        <p class="lede">
          Email {NOTICE_TEXT}{" "}
          days before an MCS-150 is due, and when a carrier's USDOT status, safety rating or MC
          docket status changes in FMCSA's files. At most one email a day per carrier.
        </p>
        {visit.site.alerts.enabled ? <SignUpForm form={form} /> : (
          <div class="notice" role="status">
            <p>
              <strong>Email alerts are off</strong>: this service has no mail server. Each carrier's
              page shows its MCS-150 deadline, and <a href="/mcs150">the MCS-150 page</a>{" "}
              has it as a file for your calendar.
            </p>
          </div>
        )}
        <Markdown text={fill(TERMS, visit.site.baseUrl, { most: MOST })} />
      </>
    ),
  };
}

/** The carrier of what was typed; undefined when there is none, or it cannot be read now. */
async function namedBy(visit: Visit, typed: string): Promise<Carrier | undefined> {
  const read = readDotField(typed);
  if ("problem" in read) return undefined;
  try {
    return (await lookUp(visit, lookupCarrier, { dot: String(read.dot) })).answer;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function SignUpForm({ form }: { form: Form }) {
  return (
    <form method="post" action={PATH}>
      {form.problem && (
        <div class="notice bad" role="alert">
          <p>{form.problem}.</p>
        </div>
      )}
      <Field
        id="dot"
        label="USDOT numbers"
        hint={`One, or up to ${MOST} with commas, blanks or line breaks between them`}
        error={form.dotProblem}
        value={form.dot}
        rows={Math.min(10, Math.max(2, form.dot.split("\n").length))}
        input={{ required: true, maxlength: LONGEST, autocomplete: "off", spellcheck: "false" }}
      />
      <Field
        id="address"
        label="Your email address"
        error={form.addressProblem}
        value={form.address}
        input={{ type: "email", required: true, maxlength: 254, size: 32, autocomplete: "email" }}
      />
      <p>
        <button type="submit">Sign up</button>
      </p>
    </form>
  );
}
