import assert from "node:assert/strict";
import { ALERT_KINDS, type AlertKind } from "../../../api/alerts/kinds.ts";
import { SmtpMailer } from "../../../api/alerts/smtp_mailer.ts";
import { startServer, type Taken } from "../../api/alerts/smtp_server.ts";
import { BASE_URL } from "../../api/http/service.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import { record } from "../../pipeline/snapshot/memory.ts";
import { putChain } from "../../pipeline/snapshot/memory_chain.ts";
import { siteOf } from "../app.ts";
import { parse } from "../document.ts";

const ADDRESS = "some.body+alerts@mail.example";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const OURS = { ...FORM, Origin: BASE_URL };

function carrier(more: Partial<CarrierRecord> = {}): CarrierRecord {
  return record(295017, { legal_name: "SOME CARRIER", ...more });
}

/** Pages over three carriers, with a real SMTP server. */
async function pages() {
  const server = await startServer();
  const from = { name: "", address: "alerts@carriers.example" };
  const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from });
  const dockets = { MC: { 638823: [99], 143229: [295017, 295018] }, FF: { 638823: [295018] } };
  const site = siteOf([carrier(), record(295018), record(99)], { mailer, dockets });
  const { visit } = site;
  return {
    ...site,
    send: (
      target: string,
      fields: Record<string, string>,
      kinds: readonly AlertKind[] = ALERT_KINDS,
    ) => {
      const body = new URLSearchParams(fields);
      for (const kind of kinds) body.append("kind", kind);
      return visit(target, { method: "POST", headers: OURS, body });
    },
    /** The first emails, once they have arrived. */
    mails: server.mails,
    async [Symbol.asyncDispose]() {
      await site.alerts.stop();
      await mailer.close();
      await server.close();
    },
  };
}

/** The path of an email's link for a purpose. */
function linkIn({ mail }: Taken, purpose: string): string {
  const link = new RegExp(`${BASE_URL}(/alerts/${purpose}/[\\w-]+)`).exec(mail.text ?? "");
  assert.ok(link, mail.text);
  return link[1]!;
}

Deno.test("a person signs up, confirms and unsubscribes with forms alone", async () => {
  await using site = await pages();
  const { visit, send, mails, logged } = site;
  const form = await (await visit("/alerts?dot=295017")).text();
  assert.match(form, /<form method="post" action="\/alerts">/);
  assert.match(form, /<textarea id="dot" name="dot"[^>]*>295017<\/textarea>/);
  assert.match(form, /For <strong><bdi>SOME CARRIER<\/bdi><\/strong>/);
  const sent = await send("/alerts", { address: ADDRESS, dot: "00295017" });
  assert.equal(sent.status, 200);
  // Tenths of a millisecond could reveal whether an address is known.
  assert.equal(sent.headers.get("server-timing"), null);
  const page = await sent.text();
  assert.match(page, /<h1>Check your email<\/h1>[^]*<bdi>SOME CARRIER<\/bdi>, USDOT 295017/);
  assert.ok(!page.includes("some.body"), "the page does not repeat the address");

  const [asked] = await mails(1);
  assert.deepEqual(asked!.to, [ADDRESS]);
  assert.match(asked!.mail.text!, /You asked for alerts on SOME CARRIER \(USDOT 295017\)\./);
  // A stranger may have typed the address, and chosen the carrier for its name.
  assert.equal(asked!.mail.subject, "Confirm email alerts for USDOT 295017");
  const confirm = linkIn(asked!, "confirm");
  // A scanner that follows links must not confirm.
  const question = await visit(confirm);
  assert.equal(question.headers.get("referrer-policy"), "no-referrer");
  assert.equal(question.headers.get("cache-control"), "no-store");
  assert.match(await question.text(), /<button type="submit">Yes, send me alerts<\/button>/);
  assert.equal((await visit(confirm)).status, 200);
  const confirmed = await send(confirm, {});
  assert.match(await confirmed.text(), /You get email alerts on USDOT 295017/);
  assert.equal((await send(confirm, {})).status, 404);

  site.clock.advance(86_400_000);
  putChain(site.source.objects, [
    { dataDate: "2026-10-03", carriers: [carrier()] },
    { dataDate: "2026-10-06", carriers: [carrier({ status: "I" })] },
  ]);
  for (let sweep = 0; sweep < 2; sweep++) await site.alerts.sweep();
  const [, news] = await mails(2);
  assert.equal(news!.mail.subject, "SOME CARRIER (USDOT 295017): now inactive");
  const unsubscribe = linkIn(news!, "unsubscribe");
  const header = news!.mail.headers.find(({ key }) => key === "list-unsubscribe")!;
  assert.equal(header.value, `<${BASE_URL}${unsubscribe}>`);
  const asked2 = await (await visit(unsubscribe)).text();
  assert.match(asked2, /Unsubscribe from alerts on USDOT 295017\?/);
  assert.doesNotMatch(asked2, /from all/);
  // As RFC 8058 requires: no page of ours, no redirect.
  const oneClick = await visit(unsubscribe, {
    method: "POST",
    headers: FORM,
    body: "List-Unsubscribe=One-Click",
  });
  assert.equal(oneClick.status, 200);
  assert.match(await oneClick.text(), /Unsubscribed from alerts on USDOT 295017/);
  // Addresses and links must not be logged.
  for (const line of logged) assert.match(line, /^(?:Emails: \d sent|Alerts of .*)$/);
});

Deno.test("a person watches several carriers with one sign-up, and unsubscribes from all with one button", async () => {
  await using site = await pages();
  const { visit, send, mails } = site;
  const compared = await (await visit("/compare?dot=295017,+99")).text();
  const [, form] = /href="(\/alerts\?dot=295017%0A99)">Watch these/.exec(compared)!;
  assert.match(await (await visit(form!)).text(), />295017\n99<\/textarea>/);
  const sent = await send("/alerts", { address: ADDRESS, dot: "295017, 295018\r\nDOT 99" });
  assert.match(await sent.text(), /3 carriers: if the address is right/);
  const [asked] = await mails(1);
  assert.equal(asked!.mail.subject, "Confirm email alerts for 3 carriers");
  const confirm = linkIn(asked!, "confirm");
  const question = await (await visit(confirm)).text();
  assert.match(question, /on 3 carriers\?[^]*USDOT 295017, 295018 and 99/);
  assert.match(await (await send(confirm, {})).text(), /You get email alerts on 3 carriers/);

  await send("/alerts", { address: ADDRESS, dot: "295018" });
  const unsubscribe = linkIn((await mails(2))[1]!, "unsubscribe");
  const choice = await (await visit(unsubscribe)).text();
  const all = /formaction="([^"]+)"[^>]*>Unsubscribe from all 3 carriers/.exec(choice)![1]!;
  assert.match(await (await send(all, {})).text(), /Unsubscribed from alerts on 3 carriers/);
  assert.equal((await visit(unsubscribe)).status, 404);
});

Deno.test("a person signs up with docket numbers, chooses among a shared one's carriers, and keeps the valid ones", async () => {
  await using site = await pages();
  const { send, mails } = site;
  const fields = { address: ADDRESS, dot: "295017, 99999999 abc MC 638823\nMC 143229; FF-638823" };
  const refused = await send("/alerts", fields);
  assert.equal(refused.status, 400);
  const page = await refused.text();
  assert.match(
    page,
    /We left out “abc” \(not a carrier&#39;s number\), USDOT 99999999 \(not in the data\)\. Check the rest/,
  );
  assert.match(page, />295017\nFF 638823\nMC 638823<\/textarea>/);
  assert.match(page, /<legend>2 carriers list MC 143229\. Which do you mean\?<\/legend>/);
  assert.match(page, /<input type="checkbox" name="dot" value="295017"> USDOT 295017/);
  await mails(0);

  const body = new URLSearchParams({ address: ADDRESS, dot: "99" });
  body.append("dot", "295018");
  body.append("kind", "rating");
  const chosen = await site.visit("/alerts", { method: "POST", headers: OURS, body });
  assert.match(await chosen.text(), /2 carriers: if the address is right/);
  const accepted = await send("/alerts", { address: ADDRESS, dot: "MC-638823, 99" });
  assert.match(await accepted.text(), /USDOT 99: if the address is right/);
  assert.deepEqual((await mails(2)).map(({ mail: { subject } }) => subject), [
    "Confirm email alerts for 2 carriers",
    "Confirm email alerts for USDOT 99",
  ]);
});

Deno.test("a person chooses the kinds of news, all by default, and the email and its page name them", async () => {
  await using site = await pages();
  const { visit, send, mails } = site;
  const boxes = (html: string) =>
    [...parse(html).querySelectorAll('main input[name="kind"]')]
      .map((box) => `${box.getAttribute("value")} ${box.hasAttribute("checked")}`);
  const form = await (await visit("/alerts")).text();
  assert.deepEqual(boxes(form), ALERT_KINDS.map((kind) => `${kind} true`));
  const none = await send("/alerts", { address: ADDRESS, dot: "295017" }, []);
  assert.equal(none.status, 400);
  const page = await none.text();
  assert.match(page, /Choose at least one\./);
  assert.deepEqual(boxes(page), ALERT_KINDS.map((kind) => `${kind} false`));
  const wrong = await send("/alerts", { address: ADDRESS, dot: "x" }, ["rating", "fleet"]);
  assert.deepEqual(
    boxes(await wrong.text()),
    ALERT_KINDS.map((kind) => `${kind} ${kind === "rating" || kind === "fleet"}`),
  );
  await send("/alerts", { address: ADDRESS, dot: "295017" }, ["rating", "fleet"]);
  const [asked] = await mails(1);
  assert.match(asked!.mail.text!, /per carrier:\n- Safety rating\n- Fleet: [^\n]*\n\n/);
  const question = await (await visit(linkIn(asked!, "confirm"))).text();
  assert.match(question, /<ul><li>Safety rating<li>Fleet: [^<]*<\/ul>/);
});

Deno.test("sign-ups from another site, too large or of another type are refused", async () => {
  await using site = await pages();
  const { visit, send, mails } = site;
  const body = new URLSearchParams({ address: ADDRESS, dot: "295017" });
  const forged = { ...FORM, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  const foreign = await visit("/alerts", { method: "POST", headers: forged, body });
  assert.equal(foreign.status, 403);
  assert.match(await foreign.text(), /did not come from our page/);
  const large = await send("/alerts", { address: ADDRESS, dot: "1".repeat(10_000) });
  assert.equal(large.status, 413);
  const json = await visit("/alerts", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: BASE_URL },
    body: "{}",
  });
  assert.equal(json.status, 415);
  await mails(0);
});
