/**
 * `/alerts`: the sign-up for e-mail alerts.
 *
 * @module
 */

import { NOTICE_DAYS } from "../../api/alerts/news.ts";
import type { SignUpAnswer } from "../../api/alerts/sign_up.ts";
import { parseDot } from "../../pipeline/regulator/number_text.ts";
import { messageOf } from "../../pipeline/message_of.ts";
import { readFields } from "../form.ts";
import type { Page, PageRoute } from "../page.ts";
import { sentPage } from "../parts/alerts.tsx";
import { Field } from "../parts/field.tsx";

const PATH = "/alerts";

/** An address and a number, percent-encoded, with room to spare. */
const FORM_BYTES = 4_096;

/** What was typed and what is wrong with it. */
interface Form {
  address: string;
  dot: string;
  addressProblem?: string;
  dotProblem?: string;
  /** What is wrong, where it is no field's fault. */
  problem?: string;
}

/** The form. */
export const alertsRoute: PageRoute = {
  path: PATH,
  listed: true,
  answer({ url, site }) {
    const dot = url.searchParams.get("dot") ?? "";
    return formPage({ address: "", dot: dot.slice(0, 20) }, { enabled: site.alerts.enabled });
  },
};

/** The form, sent. The address goes no further than to the desk: into no URL, log or page kept. */
export const alertsSentRoute: PageRoute = {
  path: PATH,
  method: "POST",
  async answer({ request, site, admitted }) {
    const { enabled } = site.alerts;
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
    if (answer.outcome === "accepted") return sentPage(dot);
    return formPage({ ...form, ...problemOf(answer, dot) }, { enabled, ...statusOf(answer) });
  },
};

function problemOf(answer: SignUpAnswer, dot: number): Partial<Form> {
  switch (answer.outcome) {
    case "invalid_address":
      return { addressProblem: "This is not an e-mail address we can write to" };
    case "unknown_carrier":
      return { dotProblem: `No carrier has USDOT number ${dot} in the census we read` };
    case "too_many":
      return {
        problem: `Too many sign-ups from your address: try again in ${
          Math.ceil(answer.retryAfter / 60)
        } minutes`,
      };
    case "off":
      return {};
    default:
      return { problem: "Sign-ups cannot be taken at the moment; try again in a few minutes" };
  }
}

function statusOf(answer: SignUpAnswer): Pick<Page, "status" | "headers"> {
  switch (answer.outcome) {
    case "invalid_address":
    case "unknown_carrier":
      return { status: 400 };
    case "too_many":
      return { status: 429, headers: [["Retry-After", String(answer.retryAfter)]] };
    default:
      return { status: 503, headers: [["Retry-After", "60"]] };
  }
}

function formPage(
  form: Form,
  { enabled, ...answer }: { enabled: boolean } & Pick<Page, "status" | "headers">,
): Page {
  const first = NOTICE_DAYS.toSorted((a, b) => b - a);
  return {
    title: "E-mail alerts",
    description:
      "A mail when a carrier's MCS-150 falls due, or its status, rating or MC status changes.",
    ...answer,
    body: (
      <>
        <h1>E-mail alerts</h1>
        <p class="lede">
          A mail when a carrier's MCS-150 update falls due ({first.join(", ")}{" "}
          days before), and when its USDOT status, its safety rating or the status of its MC number
          changes in the public files. At most one a day for a carrier, and nothing else.
        </p>
        {enabled ? <SignUpForm form={form} /> : <Off />}
        <h2>What happens to your address</h2>
        <ul>
          <li>
            First we send one mail with a link: without your confirmation there are no alerts.
          </li>
          <li>
            Every mail has a link that ends the alerts with one click. No account, no password.
          </li>
          <li>
            The address is kept for these mails only, and deleted when you end them or do not
            confirm.
          </li>
          <li>
            The files are a day or more behind the official record, and so are the alerts. They do
            not replace a look at the official record before you rely on a carrier.
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
        <strong>Alerts are off.</strong>{" "}
        This service has no mail server at the moment. The carrier's page always shows the deadline,
        and <a href="/mcs150">the MCS-150 page</a> has it as a file for your calendar.
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
        label="Your e-mail address"
        error={form.addressProblem}
        value={form.address}
        input={{ type: "email", required: true, maxlength: 254, size: 32, autocomplete: "email" }}
      />
      <p>
        <button type="submit">Send me the confirmation</button>
      </p>
    </form>
  );
}
