import assert from "node:assert/strict";
import { ALERT_KINDS } from "../../../api/alerts/kinds.ts";
import { ALERT_LIMITS } from "../../../api/alerts/records.ts";
import { act, DAY_MS, DOT, HOUR_MS, JANE, linkIn, LOTS, OTHER, published } from "./world.ts";

/** The kinds of a sign-up that names none. */
const kinds = [...ALERT_KINDS];

Deno.test("signUp() sends a link that confirms once, and only the address is stored in plain text", async () => {
  const { world, alerts } = published();
  assert.equal(alerts.enabled, true);
  const answer = await alerts.signUp({ address: " Jane@B.co", dots: [DOT], client: "192.0.2.7" });
  assert.equal(answer.outcome, "accepted");
  await alerts.sweep();
  const [mail] = world.mails();
  assert.equal(mail!.to, "Jane@b.co");
  assert.equal(mail!.unsubscribe, null);
  const found = { outcome: "found", dots: [DOT], others: 0, kinds };
  for (let scan = 0; scan < 2; scan++) {
    assert.deepEqual(await act(alerts, "confirm", mail!, null), found);
  }
  assert.deepEqual(await act(alerts, "unsubscribe", mail!), { outcome: "unknown" });
  assert.deepEqual(await act(alerts, "confirm", mail!), found);
  for (const how of ["one", null] as const) {
    assert.deepEqual(await act(alerts, "confirm", mail!, how), { outcome: "unknown" });
  }
  const entries = [...world.kv.entries.values()];
  for (const { key } of entries) assert.doesNotMatch(JSON.stringify(key), /jane|b\.co|192\.0/i);
  const all = JSON.stringify(entries.map(({ value }) => value));
  assert.ok(!all.includes("192.0.2.7") && !all.includes(linkIn(mail!)));
  assert.ok(!world.logged.join().includes("b.co"));
});

Deno.test("signUp() refuses an invalid address and unknown carriers, and is off without a mail server", async () => {
  const { world, alerts } = published();
  const answer = (address: string, ...dots: number[]) =>
    alerts.signUp({ address, dots, client: "a" });
  assert.deepEqual(await answer("jane", DOT), { outcome: "invalid_address" });
  assert.deepEqual(await answer("a@b.co\r\nBcc: c@d.co", DOT), { outcome: "invalid_address" });
  const unknown = { outcome: "unknown_carriers", dots: [9, 8] };
  assert.deepEqual(await answer(JANE, 9, DOT, 8), unknown);
  world.source.fault = () => "error";
  assert.deepEqual(await answer(JANE, 1000), { outcome: "unavailable" });
  // Only one of the two carriers can't be read.
  world.source.fault = (_, path) => path.endsWith("/carriers/10.json.gz") ? "error" : null;
  assert.deepEqual(await answer(JANE, 1000, DOT), { outcome: "unavailable" });
  world.source.fault = () => null;
  world.kv.options = { fault: () => "error" };
  assert.deepEqual(await answer(JANE, DOT), { outcome: "unavailable" });
  for (const purpose of ["confirm", "unsubscribe"] as const) {
    const link = `${"0".repeat(32)}-x`;
    assert.deepEqual(await act(alerts, purpose, link), { outcome: "unavailable" });
    for (const link of ["", "x".repeat(10_000)]) {
      assert.deepEqual(await act(alerts, purpose, link), { outcome: "unknown" });
    }
  }
  world.kv.options = {};
  const off = world.process(null).alerts;
  assert.equal(off.enabled, false);
  const outcome = await off.signUp({ address: JANE, dots: [DOT], client: "a" });
  assert.deepEqual(outcome, { outcome: "off" });
  await off.sweep();
  assert.deepEqual([world.mails(), world.mailboxes], [[], []]);
});

Deno.test("signUp() answers the same whether an address is new, pending, known or at its limit", async () => {
  const { world, process, alerts } = published();
  await world.subscribe(process, "known@b.co", DOT);
  const seen = new Set<string>();
  for (const address of ["new@b.co", "new@b.co", "known@b.co"]) {
    const before = world.kv.calls.length;
    const answer = await alerts.signUp({ address, dots: [DOT], client: "a" });
    const calls = world.kv.calls.slice(before).map(({ kind }) => kind);
    seen.add([JSON.stringify(answer), ...calls.slice(0, 2)].join());
    await alerts.sweep();
  }
  assert.equal(seen.size, 1, [...seen].join("\n"));
  const [first, second, known] = world.mails();
  // The second link replaces the first.
  assert.deepEqual(await act(alerts, "confirm", first!), { outcome: "unknown" });
  assert.match(known!.subject, /^You already get/);
  assert.equal((await act(alerts, "unsubscribe", known!, null)).outcome, "found");
  assert.equal((await act(alerts, "confirm", second!)).outcome, "found");
});

Deno.test("one sign-up for 50 carriers sends one email with one link, and a second one asks only about new carriers", async () => {
  const { world, process, alerts } = published();
  const fifty = LOTS.slice(0, 50);
  const mails = await world.mailsOf(process, { dots: fifty });
  assert.deepEqual(mails.map(({ subject }) => subject), ["Confirm email alerts for 50 carriers"]);
  for (const dot of fifty) {
    assert.match(mails[0]!.text, new RegExp(`^- (.+ \\()?USDOT ${dot}\\b`, "m"));
  }
  const found = await act(alerts, "confirm", mails[0]!);
  assert.deepEqual(found, { outcome: "found", dots: fifty, others: 0, kinds });
  assert.ok(world.subscriptions.every(({ confirm }) => confirm === null));

  // The address is at its limit: it keeps its subscriptions, and new ones are left out.
  const [known] = await world.mailsOf(process, { dots: [1049, 1050] });
  assert.equal(known!.subject, "You already get email alerts for USDOT 1049");
  assert.match(known!.text, /50 carriers, the most one address can watch\. If you asked for more/);
  const { mails: counted } = world.mailboxes[0]!;
  assert.deepEqual(await world.mailsOf(process, { dots: [1051] }), []);
  assert.deepEqual(world.mailboxes[0]!.mails, counted, "no email is counted");

  await act(alerts, "unsubscribe", world.subscriptions[0]!.link);
  const [mixed] = await world.mailsOf(process, { dots: [1049, 1050, 1051] });
  assert.equal(mixed!.subject, "Confirm email alerts for USDOT 1050");
  assert.match(mixed!.text, /You already get alerts on .*USDOT 1049\)?\./);
  assert.deepEqual(await act(alerts, "confirm", mixed!), {
    outcome: "found",
    dots: [1050],
    others: 0,
    kinds,
  });
  assert.equal(world.subscriptions.length, 50);

  const last = world.subscriptions.at(-1)!.link;
  const asked = await act(alerts, "unsubscribe", last, null);
  assert.deepEqual(asked, { outcome: "found", dots: [1050], others: 49, kinds });
  const ended = await act(alerts, "unsubscribe", last, "all");
  assert.equal(ended.outcome === "found" && ended.dots.length, 50);
  assert.deepEqual(world.subscriptions, []);
});

Deno.test("the newest of overlapping sign-ups covers the carriers of all; at the limit only confirmed carriers take precedence", async () => {
  const { world, process, alerts } = published();
  const [first] = await world.mailsOf(process, { dots: [DOT, OTHER] });
  world.clock.advance(DAY_MS);
  world.publish([{ dot: OTHER, status: "I" }]);
  const [second] = await world.mailsOf(process, { dots: [OTHER, 1000] });
  const asked = { outcome: "found", dots: [DOT], others: 0, kinds };
  assert.deepEqual(await act(alerts, "confirm", first!, null), asked);
  assert.equal((await act(alerts, "confirm", second!)).outcome, "found");
  const confirmed = world.subscriptions.filter(({ confirm }) => confirm === null)
    .map(({ dot, seen }) => [dot, seen.data_date]);
  // A change since the first request is news.
  assert.deepEqual(confirmed, [[OTHER, "2026-10-05"], [1000, "2026-10-06"]]);

  const [third] = await world.mailsOf(process, { dots: LOTS.slice(1, 49) });
  assert.deepEqual(await act(alerts, "confirm", first!), { outcome: "unknown" });
  const [fourth] = await world.mailsOf(process, { dots: LOTS.slice(12) });
  assert.deepEqual(await act(alerts, "confirm", third!), { outcome: "unknown" });
  const found = { outcome: "found", dots: LOTS.slice(12), others: 0, kinds };
  assert.deepEqual(await act(alerts, "confirm", fourth!), found);
  assert.equal(world.subscriptions.length, ALERT_LIMITS.subscriptions);
  assert.ok(world.subscriptions.some(({ dot }) => dot === OTHER));
});

Deno.test("unconfirmed sign-ups are deleted, by expiry and by the daily run", async () => {
  const { world, process, alerts } = published();
  const [mail] = await world.mailsOf(process, {});
  world.clock.advance(2 * DAY_MS - 1);
  assert.equal((await act(alerts, "confirm", mail!, null)).outcome, "found");
  world.clock.advance(1);
  assert.deepEqual(await act(alerts, "confirm", mail!), { outcome: "unknown" });
  await alerts.sweep();
  assert.deepEqual(world.mailboxes, []);
});

Deno.test("unsubscribing deletes the address, even without a mail server, drops waiting emails, and keeps other subscriptions", async () => {
  const { world, process, alerts } = published();
  await world.subscribe(process, JANE, DOT, OTHER);
  world.clock.advance(DAY_MS);
  world.server.outcome = () => "later";
  world.publish([{ dot: DOT, status: "I" }]);
  await alerts.sweep();
  const { link } = world.subscriptions.find(({ dot }) => dot === DOT)!;
  const found = { outcome: "found", dots: [DOT], others: 1, kinds };
  assert.deepEqual(await act(alerts, "unsubscribe", link, null), found);
  assert.deepEqual(await act(alerts, "confirm", link), { outcome: "unknown" });
  // Links still work when alerts are off.
  assert.deepEqual(await act(world.process(null).alerts, "unsubscribe", link), found);
  assert.deepEqual(await act(alerts, "unsubscribe", link), { outcome: "unknown" });
  world.server.outcome = () => "sent";
  world.clock.advance(HOUR_MS);
  await alerts.sweep();
  assert.deepEqual([world.mails(), world.due], [[], []]);
  assert.deepEqual(world.subscriptions.map(({ dot }) => dot), [OTHER]);
});
