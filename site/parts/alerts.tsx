/**
 * The pages of a sign-up after its form.
 *
 * @module
 */

import { inert } from "../../pipeline/text.ts";
import type { Page } from "../page.ts";

/** The form was sent. The page is the same whatever the address. */
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

/** A link was opened: asks before doing anything. */
export function askPage(
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

/** It is done. */
export function donePage({ dot, title, text }: { dot: number; title: string; text: string }): Page {
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
export function noLinkPage(outcome: "unknown" | "unavailable"): Page {
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
