/**
 * The pages that tell how far a sign-up is.
 *
 * @module
 */

import type { Page } from "../page.ts";

/** A form was sent. It says the same whatever address was typed. */
export function sentPage(dot: number): Page {
  return told("Look into your mailbox", {
    body: (
      <>
        <p class="lede">
          If the address is right, a mail is on its way. Open its link and confirm: without that
          there are no alerts.
        </p>
        <p>Nothing there after ten minutes? Look into the junk folder, then check the address.</p>
        <p>
          <a href={`/carriers/${dot}`}>Back to USDOT {dot}</a>
        </p>
      </>
    ),
  });
}

/** A link was opened: a button asks whether it is meant. */
export function askPage(
  { action, title, text, button }: { action: string; title: string; text: string; button: string },
): Page {
  return told(title, {
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
  return told(title, {
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

/** A link leads nowhere, or the store cannot be read. */
export function noLinkPage(outcome: "unknown" | "unavailable"): Page {
  return outcome === "unknown"
    ? told("This link leads nowhere any more", {
      status: 404,
      body: (
        <p class="lede">
          It was used, has expired, or is not whole: mail programs break long links. If you did not
          confirm in time, <a href="/alerts">sign up again</a>.
        </p>
      ),
    })
    : told("This cannot be done at the moment", {
      status: 503,
      headers: [["Retry-After", "60"]],
      body: <p class="lede">Nothing was changed. Open the link again in a few minutes.</p>,
    });
}

function told(
  title: string,
  { body, headers = [], ...rest }: Pick<Page, "body" | "status" | "headers">,
): Page {
  return {
    ...rest,
    title,
    description: title,
    unlisted: true,
    // The address of such a page is a secret.
    headers: [...headers, ["Referrer-Policy", "no-referrer"]],
    body: (
      <>
        <h1>{title}</h1>
        {body}
      </>
    ),
  };
}
