/**
 * The links in alert emails: GET shows what a link does, since mail scanners follow links; POST does it.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";
import type { Page } from "../components/layout.tsx";
import type { PageRoute, Visit } from "./route.ts";

const CONFIRM = "/alerts/confirm/{token}";
const UNSUBSCRIBE = "/alerts/unsubscribe/{token}";

export const alertLinkRoutes: readonly PageRoute[] = [
  { path: CONFIRM, answer: ask },
  { path: CONFIRM, method: "POST", answer: confirm },
  { path: UNSUBSCRIBE, answer: ask },
  // Mail programs send it (RFC 8058): from no page of ours, and they want a 2xx without redirection.
  { path: UNSUBSCRIBE, method: "POST", fromAnywhere: true, answer: unsubscribe },
];

async function ask({ url, params, site }: Visit): Promise<Page> {
  const found = await site.alerts.describe(params.token!);
  if (found.outcome !== "found") return noLinkPage(found.outcome);
  const { dot, purpose } = found;
  if (!url.pathname.startsWith(`/alerts/${purpose}/`)) return noLinkPage("unknown");
  return purpose === "confirm"
    ? askPage({
      action: url.pathname,
      title: `Get email alerts on USDOT ${dot}?`,
      text: "Not you? Close this page: you won't get alerts.",
      button: "Yes, send me alerts",
    })
    : askPage({
      action: url.pathname,
      title: `Unsubscribe from alerts on USDOT ${dot}?`,
      text: "You won't get email about this carrier anymore.",
      button: "Unsubscribe",
    });
}

async function confirm({ params, site }: Visit): Promise<Page> {
  const answer = await site.alerts.confirm(params.token!);
  if (answer.outcome !== "found") return noLinkPage(answer.outcome);
  return donePage({
    dot: answer.dot,
    title: `You get email alerts on USDOT ${answer.dot}`,
    text: "We send email when there is something new. Every email has a link to unsubscribe.",
  });
}

async function unsubscribe({ params, site }: Visit): Promise<Page> {
  const answer = await site.alerts.unsubscribe(params.token!);
  if (answer.outcome !== "found") return noLinkPage(answer.outcome);
  return donePage({
    dot: answer.dot,
    title: `Unsubscribed from alerts on USDOT ${answer.dot}`,
    text: "Your address is deleted for this carrier.",
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

/** The page of an opened link, which asks before doing anything. */
function askPage(
  { action, title, text, button }: { action: string; title: string; text: string; button: string },
): Page {
  return plainPage(title, {
    body: (
      <>
        <p class="lede">{text}</p>
        <form method="post" action={action}>
          <button type="submit">{button}</button>
        </form>
      </>
    ),
  });
}

function donePage({ dot, title, text }: { dot: number; title: string; text: string }): Page {
  return plainPage(title, {
    body: (
      <>
        <p class="lede">{text}</p>
        <p>
          <a href={`/carriers/${dot}`}>Go to USDOT {dot}</a>
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
      headers: [["Retry-After", "60"]],
      body: <p class="lede">Nothing has changed. Open the link again in a few minutes.</p>,
    });
}

function plainPage(
  title: string,
  { body, headers = [], ...rest }: Pick<Page, "body" | "status" | "headers">,
): Page {
  return {
    ...rest,
    title,
    description: title,
    unlisted: true,
    // The URL of a link is a secret.
    headers: [...headers, ["Referrer-Policy", "no-referrer"]],
    body: (
      <>
        <h1>{title}</h1>
        {body}
      </>
    ),
  };
}
