/**
 * The links in alert emails: GET shows what a link does, since mail scanners follow links; POST does it.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";
import type { Page } from "../components/layout.tsx";
import type { PageRoute, Visit } from "./route.ts";

/** What each kind of link asks before it does anything, and what it says then. */
const LINKS = {
  confirm: {
    question: (dot: number) => `Get email alerts on USDOT ${dot}?`,
    note: "Not you? Close this page: you won't get alerts.",
    button: "Yes, send me alerts",
    done: (dot: number) => `You get email alerts on USDOT ${dot}`,
    after: "We send email when there is something new. Every email has a link to unsubscribe.",
  },
  unsubscribe: {
    question: (dot: number) => `Unsubscribe from alerts on USDOT ${dot}?`,
    note: "You won't get email about this carrier anymore.",
    button: "Unsubscribe",
    done: (dot: number) => `Unsubscribed from alerts on USDOT ${dot}`,
    after: "Your address is deleted for this carrier.",
  },
} as const;

export const alertLinkRoutes: readonly PageRoute[] = (["confirm", "unsubscribe"] as const)
  .flatMap((purpose): PageRoute[] => {
    const path = `/alerts/${purpose}/{token}`;
    // Mail programs unsubscribe (RFC 8058): from no page of ours, and they want a 2xx without redirection.
    const fromAnywhere = purpose === "unsubscribe" ? { fromAnywhere: true as const } : {};
    return [
      { path, answer: (visit) => ask(visit, purpose) },
      { path, method: "POST", ...fromAnywhere, answer: (visit) => act(visit, purpose) },
    ];
  });

async function ask({ url, params, site }: Visit, purpose: keyof typeof LINKS): Promise<Page> {
  const found = await site.alerts.describe(params.token!);
  if (found.outcome !== "found") return noLinkPage(found.outcome);
  if (found.purpose !== purpose) return noLinkPage("unknown");
  const { question, note, button } = LINKS[purpose];
  return plainPage(question(found.dot), {
    body: (
      <>
        <p class="lede">{note}</p>
        <form method="post" action={url.pathname}>
          <button type="submit">{button}</button>
        </form>
      </>
    ),
  });
}

async function act({ params, site }: Visit, purpose: keyof typeof LINKS): Promise<Page> {
  const answer = await site.alerts[purpose](params.token!);
  if (answer.outcome !== "found") return noLinkPage(answer.outcome);
  const { dot } = answer;
  const { done, after } = LINKS[purpose];
  return plainPage(done(dot), {
    body: (
      <>
        <p class="lede">{after}</p>
        <p>
          <a href={`/carriers/${dot}`}>Go to USDOT {dot}</a>
        </p>
      </>
    ),
  });
}

/** The form was sent. The page is the same for any address. */
export function sentPage({ dot, name }: { dot: number; name: string }): Page {
  const called = inert(name);
  return plainPage("Check your email", {
    body: (
      <>
        <p class="lede">
          {called !== "" && (
            <>
              <bdi>{called}</bdi>,{" "}
            </>
          )}USDOT{" "}
          {dot}: if the address is right, an email is on its way. Open its link and confirm to get
          alerts.
        </p>
        <p>Nothing after ten minutes? Check the junk folder, then the address.</p>
        <p>
          <a href={`/carriers/${dot}`}>Back to USDOT {dot}</a>
        </p>
      </>
    ),
  });
}

/** A link is unknown, or the store cannot be read. */
function noLinkPage(outcome: "unknown" | "unavailable"): Page {
  return outcome === "unknown"
    ? plainPage("This link has expired", {
      status: 404,
      body: (
        <p class="lede">
          It expired, was already used, or is incomplete: mail programs break long links. To get
          alerts, <a href="/alerts">sign up again</a>.
        </p>
      ),
    })
    : plainPage("This isn't possible right now", {
      status: 503,
      retryAfter: 60,
      body: <p class="lede">Nothing has changed. Open the link again in a few minutes.</p>,
    });
}

function plainPage(
  title: string,
  { body, ...rest }: Pick<Page, "body" | "status" | "retryAfter">,
): Page {
  return {
    ...rest,
    title,
    description: title,
    unlisted: true,
    // The URL of a link is a secret.
    headers: [["Referrer-Policy", "no-referrer"]],
    body: (
      <>
        <h1>{title}</h1>
        {body}
      </>
    ),
  };
}
