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
  // Mail programs send it too (RFC 8058): from no page of ours, without redirection.
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
      title: `Get e-mail alerts for USDOT ${dot}?`,
      text: "If it was not you who signed up, close this page: there will be no alerts.",
      button: "Yes, send me alerts",
    })
    : askPage({
      action: url.pathname,
      title: `End e-mail alerts for USDOT ${dot}?`,
      text: "There will be no more mails about this carrier.",
      button: "End them",
    });
}

async function confirm({ params, site }: Visit): Promise<Page> {
  const answer = await site.alerts.confirm(params.token!);
  if (answer.outcome !== "confirmed") return noLinkPage(answer.outcome);
  return donePage({
    dot: answer.dot,
    title: `You get e-mail alerts for USDOT ${answer.dot}`,
    text: "We write when there is something to tell. Every mail has a link that ends the alerts.",
  });
}

async function unsubscribe({ params, site }: Visit): Promise<Page> {
  const answer = await site.alerts.unsubscribe(params.token!);
  if (answer.outcome !== "unsubscribed") return noLinkPage(answer.outcome);
  return donePage({
    dot: answer.dot,
    title: `No more e-mail alerts for USDOT ${answer.dot}`,
    text: "Your address is deleted for this carrier.",
  });
}
