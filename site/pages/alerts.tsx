/**
 * `/alerts`: the sign-up for email alerts.
 *
 * @module
 */

import { NOTICE_TEXT } from "../../api/alerts/records.ts";
import type { SignUpAnswer } from "../../api/alerts/sign_up.ts";
import { readBytes } from "../../api/http/input.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import type { Carrier } from "../../api/rules/schemas.ts";
import { readDotField } from "../bulk/numbers.ts";
import { Field } from "../components/form.tsx";
import type { Page } from "../components/layout.tsx";
import { sentPage } from "./alert_links.tsx";
import { Name } from "../components/text.tsx";
import { lookUp, type PageRoute, type Visit } from "./route.ts";

const PATH = "/alerts";

/** An address and a number, percent-encoded, generously. */
const FORM_BYTES = 4_096;

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
    const dot = (visit.url.searchParams.get("dot") ?? "").slice(0, 20);
    return formPage(visit, { form: { address: "", dot } });
  },
};

/** The form, sent. The address reaches the alerts only: no URL, no log, no cached page. */
export const alertsSentRoute: PageRoute = {
  path: PATH,
  method: "POST",
  async answer(visit) {
    const { request, site, admitted } = visit;
    admitted.trace.untimed = true;
    const fields = await readFields(request, FORM_BYTES);
    const form: Form = { address: fields.get("address") ?? "", dot: fields.get("dot") ?? "" };
    const read = readDotField(form.dot);
    if ("problem" in read) {
      return await formPage(visit, { form: { ...form, dotProblem: read.problem }, status: 400 });
    }
    const { dot } = read;
    const answer = await site.alerts.signUp({ ...form, dot, client: admitted.client });
    if (answer.outcome === "accepted") return sentPage({ dot, name: answer.name });
    const { status, retryAfter, ...problem } = refusalOf(answer, dot);
    return await formPage(visit, { form: { ...form, ...problem }, status, retryAfter });
  },
};

type Refusal = Partial<Form> & Required<Pick<Page, "status">> & Pick<Page, "retryAfter">;

function refusalOf(answer: Exclude<SignUpAnswer, { outcome: "accepted" }>, dot: number): Refusal {
  switch (answer.outcome) {
    case "invalid_address":
      return { status: 400, addressProblem: "We can't send email to this address" };
    case "unknown_carrier":
      return { status: 400, dotProblem: `USDOT ${dot} is not in the data` };
    case "too_many": {
      const { retryAfter } = answer;
      const minutes = Math.ceil(retryAfter / 60);
      const problem =
        `Too many sign-ups from your network address. Try again in ${minutes} minutes`;
      return { status: 429, retryAfter, problem };
    }
    case "paused": {
      const problem = "Sign-ups are paused: too many were received today. Try again tomorrow";
      return { status: 503, retryAfter: answer.retryAfter, problem };
    }
    case "off":
      return { status: 503, retryAfter: 60 };
    default: {
      const problem = "Can't take sign-ups right now. Try again in a few minutes";
      return { status: 503, retryAfter: 60, problem };
    }
  }
}

async function formPage(
  visit: Visit,
  { form, ...answer }: { form: Form } & Pick<Page, "status" | "retryAfter">,
): Promise<Page> {
  const carrier = await namedBy(visit, form.dot);
  return {
    title: "Email alerts",
    description:
      "Email when a carrier's MCS-150 is due, or its status, rating or MC docket changes.",
    ...answer,
    body: (
      <>
        <h1>Email alerts</h1>
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
        {visit.site.alerts.enabled ? <SignUpForm form={form} /> : <Off />}
        <ul>
          <li>We send one email with a link. Alerts start when you confirm.</li>
          <li>Every email has a link to unsubscribe, which deletes your address.</li>
          <li>The files are a day or more behind the official record, and so are alerts.</li>
        </ul>
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

function Off() {
  return (
    <div class="notice" role="status">
      <p>
        <strong>Email alerts are off</strong>: this service has no mail server. Each carrier's page
        shows its MCS-150 deadline, and <a href="/mcs150">the MCS-150 page</a>{" "}
        has it as a file for your calendar.
      </p>
    </div>
  );
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
        label="USDOT number"
        error={form.dotProblem}
        value={form.dot}
        input={{ required: true, inputmode: "numeric", maxlength: 20, autocomplete: "off" }}
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

const FORM_MS = 10_000;

/**
 * Reads the fields of a small form, `application/x-www-form-urlencoded`.
 *
 * @throws {ServiceError} `unsupported_media_type`, `payload_too_large` or `invalid_body`.
 */
async function readFields(request: Request, limitBytes: number): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new ServiceError(
      "unsupported_media_type",
      "Cannot read this form: send it from its page",
    );
  }
  const bytes = await readBytes(request, { limitBytes, signal: AbortSignal.timeout(FORM_MS) });
  return new URLSearchParams(new TextDecoder().decode(bytes));
}
