import assert from "node:assert/strict";
import { type Mail, SmtpMailer } from "../../../api/alerts/smtp_mailer.ts";
import { type ServerOptions, startScripted, startServer, STEPS } from "./smtp_server.ts";

const FROM = { name: "Carrier alerts", address: "alerts@carriers.example" };
const UNSUBSCRIBE =
  "https://carriers.example/alerts/unsubscribe/0f3c6f0e-52b4-4b8e-8b0c-2f7f6b1c9a55";

const SHOWN = "jane+fleet@bücher.example";

const MAIL: Mail = {
  id: "7f1e-2026-10-05",
  to: "jane+fleet@xn--bcher-kva.example",
  subject: "SOME CARRIER (USDOT 295017): now inactive",
  text:
    "One line.\n.\nA line that is longer than seventy-eight characters, for a mail is folded.\n",
  unsubscribe: UNSUBSCRIBE,
};

/** A mailer, and a signal that stops its sending. */
function mailerOf(port: number, { user = "", query = "" } = {}) {
  const mailer = new SmtpMailer({ url: `smtp://${user}127.0.0.1:${port}${query}`, from: FROM });
  const stop = new AbortController();
  const send = (mail: Partial<Mail> = {}, hasTime = () => true) =>
    mailer.send({ ...MAIL, ...mail }, { hasTime, signal: stop.signal });
  return { stop, send, close: () => mailer.close() };
}

/** A server and a mailer, until the end of the test. */
async function mailing(options: ServerOptions & { user?: string; query?: string } = {}) {
  const server = await startServer(options);
  const mailer = mailerOf(server.port, options);
  async function end(): Promise<void> {
    await mailer.close();
    await server.close();
  }
  return { ...mailer, server, taken: server.taken, [Symbol.asyncDispose]: end };
}

Deno.test("SmtpMailer.send() sends the email as composed, and reuses one connection", async () => {
  await using mailer = await mailing();
  const { send, server, taken } = mailer;
  assert.deepEqual(await send(), { outcome: "sent" });
  const second = { id: "2", unsubscribe: null, to: "a@b.co", subject: "Zürich … ✓" };
  assert.deepEqual(await send(second), { outcome: "sent" });
  assert.equal(server.connections(), 1);
  const [first, other] = taken;
  // The server shows the domain in Unicode.
  assert.deepEqual([first!.from, first!.to], [FROM.address, [SHOWN]]);
  const { mail } = first!;
  assert.deepEqual(mail.from, { ...FROM });
  assert.deepEqual(mail.to, [{ name: "", address: MAIL.to }]);
  assert.equal(mail.subject, MAIL.subject);
  assert.equal(mail.text!.trimEnd(), MAIL.text.trimEnd());
  assert.match(mail.html!, /^<!doctype html>[^]*<p>One line\.<br>\n\.<br>\nA line that/);
  assert.equal(mail.messageId, "<7f1e-2026-10-05@carriers.example>");
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  // RFC 8058: the address alone, in angle brackets.
  assert.equal(header("list-unsubscribe"), `<${UNSUBSCRIBE}>`);
  assert.equal(header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  assert.equal(header("auto-submitted"), "auto-generated");
  assert.equal(other!.mail.subject, "Zürich … ✓");
  assert.ok(!other!.mail.headers.some(({ key }) => key.startsWith("list-")));
});

Deno.test("SmtpMailer.send() never lets a subject or address add a header or a recipient", async () => {
  await using mailer = await mailing();
  const { send, taken } = mailer;
  assert.equal((await send({ subject: "x\r\nBcc: evil@b.co\r\n\r\nbody" })).outcome, "sent");
  const { mail, to } = taken[0]!;
  assert.deepEqual(to, [SHOWN]);
  assert.ok(!mail.headers.some(({ key }) => key === "bcc"));
  assert.equal(mail.text!.trimEnd(), MAIL.text.trimEnd());
  assert.notEqual((await send({ to: "a@b.co>\r\nRCPT TO:<evil@b.co" })).outcome, "sent");
  assert.equal(taken.length, 1);
});

Deno.test("SmtpMailer.send() reports what a server refuses, without the server's text", async () => {
  const answers = [
    ["RCPT TO", 550, "5.1.1 <jane+fleet@xn--bcher-kva.example> unknown", "refused"],
    ["RCPT TO", 553, "jane+fleet@xn--bcher-kva.example no", "refused"],
    ["RCPT TO", 450, "4.2.0 greylisted jane+fleet@xn--bcher-kva.example", "later"],
    // The server rejects the sender. If that counted as refused, a day on a block list would end all subscriptions.
    ["RCPT TO", 550, "5.7.1 your host is blocked", "later"],
    ["DATA", 554, "5.6.0 jane+fleet@xn--bcher-kva.example bad body", "refused"],
    ["DATA", 451, "4.3.0 try jane+fleet@xn--bcher-kva.example again", "later"],
  ] as const;
  for (const [at, code, message, outcome] of answers) {
    await using mailer = await mailing({ refusal: { at, code, message } });
    assert.deepEqual(await mailer.send(), { outcome, reason: `${at} answered ${code}` });
    assert.equal(mailer.taken.length, 0);
  }
});

Deno.test("SmtpMailer.send() logs in, never without TLS by default, and a failed login refuses no address", async () => {
  const cases = [
    ["s3cret", "", "down"],
    ["s3cret", "?ignoreTLS=true", "sent"],
    ["wrong", "?ignoreTLS=true", "down"],
  ] as const;
  for (const [password, query, outcome] of cases) {
    const login = ["alerts", "s3cret"] as const;
    await using mailer = await mailing({ login, user: `alerts:${password}@`, query });
    const sent = await mailer.send();
    assert.equal(sent.outcome, outcome);
    assert.ok(!JSON.stringify(sent).includes(password));
    // The server doesn't offer a login: the password isn't sent.
    if (query === "") assert.match(JSON.stringify(sent), /TLS/);
  }
});

Deno.test("SmtpMailer.send() knows whether an email may have arrived, whatever the server does at any step", async () => {
  for (const instead of ["hang", "close", "421 4.3.2 going down\r\n"] as const) {
    await Promise.all(STEPS.map(async (step) => {
      const server = await startScripted(step, instead);
      const { stop, send, close } = mailerOf(server.port);
      const sending = send();
      if (instead === "hang") {
        await server.reached;
        stop.abort(); // Stops it the way a timeout does
      }
      const sent = await sending;
      const answered = instead.startsWith("421");
      const refused = answered && ["RCPT", "DATA", "body"].includes(step);
      const expected = refused ? "later" : step === "body" ? "unknown" : "down";
      assert.equal(sent.outcome, expected, `${instead} at ${step}`);
      if (instead === "hang") assert.ok("reason" in sent && sent.reason === "CONN ENDED");
      assert.equal(server.bodies(), step === "body" ? 1 : 0);
      await close();
      await server.close();
    }));
  }
});

Deno.test("SmtpMailer.send() does not send an email whose time has expired meanwhile", async () => {
  const server = await startScripted("body", "close");
  const { send, close } = mailerOf(server.port);
  assert.equal((await send({}, () => false)).outcome, "down");
  assert.equal(server.bodies(), 0);
  await close();
  await server.close();
});

Deno.test("SmtpMailer.close() ends a connection and the next send() opens one; a stopped send, or one without a server, opens none", async () => {
  await using mailer = await mailing();
  const { send, close, stop, server } = mailer;
  for (const id of ["1", "2"]) {
    assert.equal((await send({ id })).outcome, "sent");
    await close();
  }
  const sending = send();
  stop.abort();
  assert.deepEqual(await sending, { outcome: "down", reason: "CONN ENDED" });
  assert.equal(server.connections(), 2);

  const other = mailerOf(server.port);
  assert.equal((await other.send()).outcome, "sent");
  await server.close();
  assert.equal((await other.send()).outcome, "down");
  assert.equal(server.taken.length, 3);
});

Deno.test("nodemailer is imported lazily: a process that sends no email does not load it", async () => {
  const folder = new URL("../../../api/alerts/", import.meta.url);
  for await (const { name } of Deno.readDir(folder)) {
    const text = await Deno.readTextFile(new URL(name, folder));
    assert.doesNotMatch(text, /^\s*(import|export)\s(?!type\b)[^;]*"nodemailer/m, name);
  }
});
