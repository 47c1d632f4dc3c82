/**
 * `/alerts`: the sign-up for email alerts.
 *
 * @module
 */

import { ALERT_KINDS, type AlertKind, kindLabel } from "../../api/alerts/kinds.ts";
import { ALERT_LIMITS } from "../../api/alerts/records.ts";
import type { SignUpAnswer } from "../../api/alerts/sign_up.ts";
import { fill } from "../../api/discovery/texts.ts";
import { ServiceError } from "../../api/operations/errors.ts";
import { lookupCarrier } from "../../api/operations/lookup.ts";
import type { Carrier } from "../../api/rules/schemas.ts";
import { PAGE_COSTS } from "../../api/state/rate_limit.ts";
import { placeOf } from "../../api/rules/words.ts";
import { named, readDotField } from "../bulk/numbers.ts";
import { readForm } from "../bulk/upload.ts";
import { Field, FiledText } from "../components/blocks.tsx";
import type { Page } from "../components/layout.tsx";
import { sentPage } from "./alert_links.tsx";
import { type DocketChoice, notInData, readWatchList, type WatchList } from "./alert_numbers.ts";
import { Markdown } from "../components/markdown.tsx";
import TERMS from "../content/alerts.md" with { type: "text" };
import PAGES from "../content/pages.json" with { type: "json" };
import { lookUp, type PageRoute, type Visit } from "./route.ts";

const PATH = "/alerts";

const MOST = ALERT_LIMITS.subscriptions;

/** Maximum length of the text with the numbers, in characters. This is generous for `MOST` numbers. */
const LONGEST = 40 * MOST;

/** Maximum size of the form in bytes: the text, percent-encoded, and the address. */
const FORM_BYTES = 3 * LONGEST + 1_000;

/** Maximum number of problems to list for a text. */
const NAMED = 5;

interface Form {
  address: string;
  dot: string;
  /** The kinds of alerts whose checkboxes are checked. */
  kinds: readonly AlertKind[];
  addressProblem?: string;
  kindsProblem?: string;
  dotProblem?: string;
  /** An error that belongs to no field. */
  problem?: string;
  choices?: readonly DocketChoice[];
}

export const alertsRoute: PageRoute = {
  path: PATH,
  listed: true,
  answer(visit) {
    const dot = visit.url.searchParams.getAll("dot").join("\n").slice(0, LONGEST);
    return formPage(visit, { address: "", dot, kinds: ALERT_KINDS });
  },
};

/**
 * Handles the submitted form. The address is passed only to the alerts, not to a URL, a log or a cached
 * page.
 */
export const alertsSentRoute: PageRoute = {
  path: PATH,
  method: "POST",
  cost: PAGE_COSTS.result,
  async answer(visit) {
    const { request, site, client, trace } = visit;
    trace.untimed = true;
    const fields = await readForm(request, { limitBytes: FORM_BYTES, arrivalMs: 10_000 });
    const address = String(fields.get("address") ?? "");
    const chosen = fields.getAll("kind");
    const kinds = ALERT_KINDS.filter((kind) => chosen.includes(kind));
    // Each carrier chosen for a shared docket is sent as another `dot`, besides the text.
    const form: Form = { address, dot: fields.getAll("dot").join("\n"), kinds };
    async function refuse({ problems, ...status }: Refusal): Promise<Page> {
      return { ...await formPage(visit, { ...form, ...problems }), ...status };
    }
    const read = await readWatchList(form.dot, { ...visit, most: MOST }).catch((error) => {
      if (error instanceof ServiceError) return "unavailable" as const;
      throw error;
    });
    if (read === "unavailable") return await refuse(refusalOf({ outcome: read }));
    if (read === null) {
      return await refuse({
        status: 400,
        problems: { dotProblem: `Enter at most ${MOST} numbers` },
      });
    }
    const { dots, choices, problems } = read;
    if (problems.length + choices.length > 0 || dots.length === 0) {
      return await refuse({ status: 400, problems: without(read) });
    }
    if (kinds.length === 0) {
      return await refuse({ status: 400, problems: { kindsProblem: "Choose at least one" } });
    }
    const answer = await site.alerts.signUp({ address, dots, client, kinds });
    if (answer.outcome === "accepted") return sentPage(answer.carriers);
    if (answer.outcome !== "unknown_carriers") return await refuse(refusalOf(answer));
    const unknown = new Set(answer.dots);
    const kept = dots.filter((dot) => !unknown.has(dot)).join("\n");
    return await refuse({
      status: 400,
      problems: without({ problems: answer.dots.map(notInData), kept }),
    });
  },
};

const EXAMPLE = "Enter USDOT, MC, MX or FF numbers, such as 286764 or MC 186800";

/** The form with the numbers that can be used, and what was wrong with the others. */
function without(
  { problems, kept, choices = [] }: Pick<WatchList, "problems" | "kept"> & Pick<Form, "choices">,
): Partial<Form> {
  const named = problems.slice(0, NAMED).join(", ");
  const all = problems.length > NAMED ? `${named} and more` : named;
  if (kept === "" && choices.length === 0) {
    return { dotProblem: all === "" ? EXAMPLE : `We can't use ${all}. ${EXAMPLE}` };
  }
  const left = `We left out ${all}. Check the rest, then sign up again`;
  return { dot: kept, choices, ...all !== "" && { dotProblem: left } };
}

interface Refusal {
  status: 400 | 429 | 503;
  retryAfter?: number;
  problems: Partial<Form>;
}

function refusalOf(
  answer: Exclude<SignUpAnswer, { outcome: "accepted" | "unknown_carriers" }>,
): Refusal {
  switch (answer.outcome) {
    case "invalid_address":
      return { status: 400, problems: { addressProblem: "We can't send email to this address" } };
    case "too_many": {
      const { retryAfter } = answer;
      const minutes = Math.ceil(retryAfter / 60);
      const problem =
        `Too many sign-ups from your IP address or its network. Try again in ${minutes} minutes`;
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
              <FiledText text={carrier.name} />
            </strong>, <a href={`/carriers/${carrier.dot}`}>USDOT {carrier.dot}</a>
          </p>
        )}
        <p class="lede">
          Get an email when an MCS-150 is due, or when FMCSA's files show a kind of change you
          choose. At most one email a day per carrier.
        </p>
        {visit.site.alerts.enabled ? <SignUpForm form={form} /> : (
          <div class="notice" role="status">
            <p>
              <strong>Email alerts are off</strong>: this service has no mail server. Each carrier's
              page shows its MCS-150 deadline, and <a href="/mcs150">the MCS-150 page</a>{" "}
              can add it to your calendar.
            </p>
          </div>
        )}
        <Markdown text={fill(TERMS, visit.site.baseUrl, { most: MOST })} />
      </>
    ),
  };
}

/** Returns the carrier whose USDOT number was typed; undefined if there is none, or if it cannot be read now. */
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
  const { choices = [] } = form;
  return (
    <form method="post" action={PATH}>
      {form.problem && (
        <div class="notice bad" role="alert">
          <p>{form.problem}.</p>
        </div>
      )}
      <Field
        id="dot"
        label="USDOT, MC, MX or FF numbers"
        hint={`Up to ${MOST}, separated by commas, spaces or new lines`}
        error={form.dotProblem}
        value={form.dot}
        rows={Math.min(10, Math.max(2, form.dot.split("\n").length))}
        input={{
          required: choices.length === 0,
          maxlength: LONGEST,
          autocomplete: "off",
          spellcheck: "false",
        }}
      />
      {choices.map((choice) => <Choice choice={choice} />)}
      <Field
        id="address"
        label="Your email address"
        error={form.addressProblem}
        value={form.address}
        input={{ type: "email", required: true, maxlength: 254, size: 32, autocomplete: "email" }}
      />
      <Kinds form={form} />
      <p>
        <button type="submit">Sign up</button>
      </p>
    </form>
  );
}

function Kinds({ form: { kinds, kindsProblem } }: { form: Form }) {
  const described = kindsProblem === undefined ? {} : { "aria-describedby": "kinds-error" };
  return (
    <fieldset class="choices" {...described}>
      <legend>Email me about</legend>
      {kindsProblem !== undefined && <p id="kinds-error" class="wrong">{kindsProblem}.</p>}
      {ALERT_KINDS.map((kind) => (
        <label>
          <input type="checkbox" name="kind" value={kind} checked={kinds.includes(kind)} />{" "}
          {kindLabel(kind)}
        </label>
      ))}
    </fieldset>
  );
}

function Choice({ choice: { docket, carriers, count } }: { choice: DocketChoice }) {
  return (
    <fieldset>
      <legend>{count} carriers list {named(docket)}. Which do you mean?</legend>
      {carriers.map((carrier) => (
        <p>
          <label>
            <input type="checkbox" name="dot" value={carrier.dot} /> USDOT {carrier.dot},{" "}
            <FiledText
              text={[carrier.name, placeOf(carrier)].filter((part) => part !== "").join(", ")}
            />
          </label>
        </p>
      ))}
      {count > carriers.length && (
        <p>
          <a href={`/mc/${docket.kind}-${docket.number}`}>All {count} carriers</a>
        </p>
      )}
    </fieldset>
  );
}
