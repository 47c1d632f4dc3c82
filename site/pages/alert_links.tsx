/**
 * The links in the mails: GET shows what a link is about, since mail scanners follow links; POST does it.
 *
 * @module
 */

import type { Page, PageRoute, Visit } from "../page.ts";
import { askPage, donePage, noLinkPage } from "../parts/alerts.tsx";

const CONFIRM = "/alerts/confirm/:token";
const UNSUBSCRIBE = "/alerts/unsubscribe/:token";

/** The routes of both links. */
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
