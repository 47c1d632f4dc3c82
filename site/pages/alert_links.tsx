/**
 * The links in alert emails. GET shows what a link does, because mail scanners follow links; POST does it.
 *
 * @module
 */

import type { Child } from "hono/jsx";
import { kindLabel } from "../../api/alerts/kinds.ts";
import type { LinkPurpose } from "../../api/alerts/sign_up.ts";
import { inert, listed } from "../../pipeline/text.ts";
import type { Page } from "../components/layout.tsx";
import type { PageRoute, Visit } from "./route.ts";

const LINKS = {
  confirm: {
    question: (carriers: string) => `Get email alerts on ${carriers}?`,
    note: "Not you? Close this page: you won't get alerts.",
    button: "Yes, send me alerts",
    done: (carriers: string) => `You get email alerts on ${carriers}`,
    after: "We send email when there is something new. Every email has a link to unsubscribe.",
  },
  unsubscribe: {
    question: (carriers: string) => `Unsubscribe from alerts on ${carriers}?`,
    note: "You won't get email about this carrier anymore.",
    button: "Unsubscribe",
    done: (carriers: string) => `Unsubscribed from alerts on ${carriers}`,
    after: "Your address is deleted from these alerts.",
  },
} as const;

export const alertLinkRoutes: readonly PageRoute[] = (["confirm", "unsubscribe"] as const)
  .flatMap((purpose): PageRoute[] => {
    const path = `/alerts/${purpose}/{token}`;
    // Mail programs send this POST themselves (RFC 8058), not from one of our pages. They expect a
    // 2xx without a redirect.
    const fromAnywhere = purpose === "unsubscribe" ? { fromAnywhere: true as const } : {};
    return [
      { path, answer: (visit) => ask(visit, purpose) },
      { path, method: "POST", ...fromAnywhere, answer: (visit) => act(visit, purpose) },
    ];
  });

async function ask({ url, params, site }: Visit, purpose: LinkPurpose): Promise<Page> {
  const found = await site.alerts.follow(params.token!, { purpose, act: null });
  if (found.outcome !== "found") return NO_LINK[found.outcome];
  const { question, note, button } = LINKS[purpose];
  const { dots, others, kinds } = found;
  return plainPage(
    question(called(dots)),
    <>
      {dots.length > 1 && <p>USDOT {listed(dots.map(String))}</p>}
      {purpose === "confirm" && (
        <ul>
          {kinds.map((kind) => <li>{kindLabel(kind)}</li>)}
        </ul>
      )}
      <p class="lede">{note}</p>
      <form method="post" action={url.pathname}>
        <p class="actions">
          <button type="submit">{button}</button>
          {others > 0 && (
            <button type="submit" class="quiet" formaction={`${url.pathname}?all`}>
              Unsubscribe from all {others + 1} carriers
            </button>
          )}
        </p>
      </form>
    </>,
  );
}

async function act({ url, params, site }: Visit, purpose: LinkPurpose): Promise<Page> {
  const act = url.searchParams.has("all") ? "all" : "one";
  const answer = await site.alerts.follow(params.token!, { purpose, act });
  if (answer.outcome !== "found") return NO_LINK[answer.outcome];
  const { dots } = answer;
  const { done, after } = LINKS[purpose];
  return {
    ...plainPage(done(called(dots)), <CarrierLinks dots={dots} to="Go to" />),
    lede: after,
  };
}

/** Shown after the form was sent. The page is the same for any address. */
export function sentPage(carriers: readonly { dot: string; name: string }[]): Page {
  const [{ dot, name }] = carriers as [typeof carriers[number]];
  const filed = inert(name);
  const who = carriers.length > 1
    ? `${carriers.length} carriers`
    : [filed !== "" && [<bdi>{filed}</bdi>, ", "], `USDOT ${dot}`];
  return plainPage(
    "Check your email",
    <>
      <p class="lede">
        {who}: if the address is right, an email is on its way. Open its link and confirm to get
        alerts.
      </p>
      <p>Nothing after ten minutes? Check the junk folder, then the address.</p>
      <CarrierLinks dots={carriers.map(({ dot }) => dot)} to="Back to" />
    </>,
  );
}

function called(dots: readonly number[]): string {
  return dots.length === 1 ? `USDOT ${dots[0]}` : `${dots.length} carriers`;
}

function CarrierLinks({ dots, to }: { dots: readonly (number | string)[]; to: string }) {
  const lead = dots.length === 1 ? `${to} ` : "";
  return (
    <p>
      {dots.map((dot, i) => [i > 0 && ", ", <a href={`/carriers/${dot}`}>{lead}USDOT {dot}</a>])}
    </p>
  );
}

function plainPage(title: string, body: Child): Page {
  return {
    title,
    heading: title,
    unlisted: true,
    // The URL of a link is a secret.
    headers: [["Referrer-Policy", "no-referrer"]],
    body,
  };
}

/** The pages for an unknown link, and for a store that cannot be read. */
const NO_LINK: Readonly<Record<"unknown" | "unavailable", Page>> = {
  unknown: {
    ...plainPage(
      "This link has expired",
      <p class="lede">
        It expired, was already used, or is incomplete: mail programs break long links. To get
        alerts, <a href="/alerts">sign up again</a>.
      </p>,
    ),
    status: 404,
  },
  unavailable: {
    ...plainPage("This isn't possible right now", ""),
    lede: "Nothing has changed. Open the link again in a few minutes.",
    status: 503,
    retryAfter: 60,
  },
};
