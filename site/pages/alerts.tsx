/**
 * `/alerts`: the sign-up for email alerts.
 *
 * @module
 */

import { NOTICE_TEXT } from "../../api/alerts/records.ts";
import type { SignUpAnswer } from "../../api/alerts/sign_up.ts";
import { readBytes } from "../../api/http/input.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { parseDot } from "../../pipeline/fmcsa/number_text.ts";
import { messageOf } from "../../pipeline/text.ts";
import { Field } from "../components/form.tsx";
import type { Page } from "../components/layout.tsx";
import { sentPage } from "./alert_links.tsx";
import type { PageRoute } from "./route.ts";

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
  answer({ url, site }) {
    const dot = url.searchParams.get("dot") ?? "";
    return formPage({ address: "", dot: dot.slice(0, 20) }, { enabled: site.alerts.enabled });
  },
};

/** The form, sent. The address reaches the alerts only: no URL, no log, no cached page. */
export const alertsSentRoute: PageRoute = {
  path: PATH,
  method: "POST",
  async answer({ request, site, admitted }) {
    const { enabled } = site.alerts;
    admitted.trace.untimed = true;
    const fields = await readFields(request, FORM_BYTES);
    const form: Form = { address: fields.get("address") ?? "", dot: fields.get("dot") ?? "" };
    let dot: number;
    try {
      dot = parseDot(form.dot.trim());
    } catch (error) {
      return formPage({ ...form, dotProblem: messageOf(error) }, { enabled, status: 400 });
    }
    const { client } = admitted;
    const answer = await site.alerts.signUp({ address: form.address, dot, client });
    if (answer.outcome === "accepted") return sentPage({ dot, name: answer.name });
    return formPage({ ...form, ...problemOf(answer, dot) }, { enabled, ...statusOf(answer) });
  },
};

function problemOf(answer: SignUpAnswer, dot: number): Partial<Form> {
  switch (answer.outcome) {
    case "invalid_address":
      return { addressProblem: "We can't send email to this address" };
    case "unknown_carrier":
      return { dotProblem: `No carrier has USDOT number ${dot} in FMCSA's census file` };
    case "too_many":
      return {
        problem: `Too many sign-ups from your network address. Try again in ${
          Math.ceil(answer.retryAfter / 60)
        } minutes`,
      };
    case "paused":
      return { problem: "Sign-ups are paused: too many were received today. Try again tomorrow" };
    case "off":
      return {};
    default:
      return { problem: "Can't take sign-ups right now. Try again in a few minutes" };
  }
}

function statusOf(answer: SignUpAnswer): Pick<Page, "status" | "headers"> {
  switch (answer.outcome) {
    case "invalid_address":
    case "unknown_carrier":
      return { status: 400 };
    case "too_many":
    case "paused":
      return {
        status: answer.outcome === "paused" ? 503 : 429,
        headers: [["Retry-After", String(answer.retryAfter)]],
      };
    default:
      return { status: 503, headers: [["Retry-After", "60"]] };
  }
}

function formPage(
  form: Form,
  { enabled, ...answer }: { enabled: boolean } & Pick<Page, "status" | "headers">,
): Page {
  return {
    title: "Email alerts",
    description:
      "Email when a carrier's MCS-150 is due, or its status, rating or MC docket changes.",
    ...answer,
    body: (
      <>
        <h1>Email alerts</h1>
        <p class="lede">
          Email {NOTICE_TEXT}{" "}
          days before an MCS-150 is due, and when a carrier's USDOT status, safety rating or MC
          docket status changes in FMCSA's files. At most one email a day per carrier, nothing else.
        </p>
        {enabled ? <SignUpForm form={form} /> : <Off />}
        <h2>What happens to your address</h2>
        <ul>
          <li>We send one email with a link. Alerts start when you confirm.</li>
          <li>Every email has a link to unsubscribe in one click. No account, no password.</li>
          <li>
            We use the address for these emails only, and delete it when you unsubscribe or don't
            confirm.
          </li>
          <li>
            FMCSA's files are a day or more behind the official record, and so are the alerts. Check
            the official record before you rely on a carrier.
          </li>
        </ul>
      </>
    ),
  };
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
