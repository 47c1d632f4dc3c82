import assert from "node:assert/strict";
import type { Alerts } from "../../../api/alerts/alerts.ts";
import { SmtpMailer } from "../../../api/alerts/smtp_mailer.ts";
import type { Service, ServiceOptions } from "../../../api/service.ts";
import { type Objects, putSnapshot, record, TestClock } from "../../pipeline/snapshot/memory.ts";
import { createSite } from "../../../site/site.ts";
import { writeObjects } from "../../run_main.ts";
import { serviceAt } from "../http/service.ts";
import { startScripted, startServer, type Taken, type TestServer } from "./smtp_server.ts";
import { DAY_MS, tokenIn } from "./world.ts";

const DOT = 295011;

interface Place {
  service: Service;
  alerts: Alerts;
  clock: TestClock;
  server: TestServer;
  publish(status: "A" | "I", dataDate: string): Promise<void>;
}

async function withService(
  options: Partial<ServiceOptions>,
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const server = await startServer();
  const clock = new TestClock();
  let alerts: Alerts | undefined;
  const url = `smtp://127.0.0.1:${server.port}`;
  const from = { name: "Carrier alerts", address: "alerts@carriers.example" };
  let generation = 0;
  async function publish(status: "A" | "I", dataDate: string): Promise<void> {
    const objects: Objects = new Map();
    const legal_name = "SOME \u202ECARRIER\r\nBcc: x@b.co";
    const carriers = [record(DOT, { status, legal_name })];
    putSnapshot(objects, { id: `g${++generation}`, carriers, dataDate });
    await writeObjects(objects, folder);
  }
  await publish("A", "2026-10-03");
  const service = serviceAt(folder, {
    mailer: new SmtpMailer({ url, from }),
    clock,
    log: (line) => assert.doesNotMatch(line, /@/),
    pages: (parts) => {
      alerts = parts.alerts;
      return createSite(parts);
    },
    ...options,
  });
  try {
    await work({ service, alerts: alerts!, clock, server, publish });
  } finally {
    await service.close();
    await server.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** The next email. */
async function nextMail({ server, service }: Place): Promise<Taken> {
  await service.sweep();
  assert.equal(server.taken.length, 1);
  return server.taken.pop()!;
}

Deno.test("a subscriber confirms, is mailed about a change once, and unsubscribes with one click", async () => {
  await withService({}, async (place) => {
    const { alerts, clock, server, service, publish } = place;
    assert.equal(alerts.enabled, true);
    const wish = { address: "jane@bücher.example", dot: DOT, client: "a" };
    assert.deepEqual(await alerts.signUp(wish), {
      outcome: "accepted",
      name: "SOME \u202ECARRIER\r\nBcc: x@b.co",
    });
    const asked = await nextMail(place);
    assert.deepEqual(asked.to, ["jane@bücher.example"]);
    const confirmed = await alerts.confirm(tokenIn({ text: asked.mail.text! }));
    assert.equal(confirmed.outcome, "found");

    clock.advance(DAY_MS);
    await publish("I", "2026-10-06");
    const news = await nextMail(place);
    assert.equal(news.mail.subject, `SOME CARRIER Bcc: x@b.co (USDOT ${DOT}): now inactive`);
    assert.deepEqual(news.to, ["jane@bücher.example"]);
    assert.match(news.mail.messageId!, /^<[0-9a-f]{32}-2026-10-06@carriers\.example>$/);
    await service.sweep();
    assert.equal(server.taken.length, 0);

    const header = news.mail.headers.find(({ key }) => key === "list-unsubscribe")!.value;
    const [, token] = /^<https:\/\/carriers\.example\/alerts\/unsubscribe\/([\w-]+)>$/.exec(
      header,
    )!;
    assert.equal((await alerts.unsubscribe(token!)).outcome, "found");
    clock.advance(DAY_MS);
    await publish("A", "2026-10-07");
    await service.sweep();
    assert.equal(server.taken.length, 0);
  });
});

Deno.test("a service that stops does not wait for a mail server that hangs", async () => {
  const hanging = startScripted("RCPT", "hang");
  const logged: string[] = [];
  const url = `smtp://127.0.0.1:${hanging.port}`;
  const mailer = new SmtpMailer({ url, from: { name: "", address: "alerts@carriers.example" } });
  await withService({ mailer, log: (line) => logged.push(line) }, async ({ alerts, service }) => {
    await alerts.signUp({ address: "jane@b.co", dot: DOT, client: "a" });
    await hanging.reached;
    await service.stop();
  });
  await hanging.close();
  assert.ok(logged.includes("An email was not sent (down): CONN ECLOSED"), logged.join());
});
