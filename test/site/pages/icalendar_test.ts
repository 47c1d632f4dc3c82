import fc from "fast-check";
import assert from "node:assert/strict";
import { calendarOf } from "../../../site/pages/icalendar.ts";
import { siteOf } from "../app.ts";

function fileOf(rule: string): string {
  const deadline = { dot: "286764", next_due: "2028-02-29", rule };
  return calendarOf(deadline, { baseUrl: "https://carriers.example", now: 0 });
}

/** Unfolds lines. */
function unfolded(text: string): string[] {
  return text.replaceAll("\r\n ", "").split("\r\n");
}

Deno.test("calendarOf() folds at 75 octets, splits no character, and no text can add a line", () => {
  const lines = unfolded(fileOf("One; two, three\\four\nfive"));
  assert.match(lines[11]!, /^DESCRIPTION:One\\; two\\, three\\\\four\\nfive Calc/);
  assert.ok(lines.includes("DTEND;VALUE=DATE:20280301"));
  const texts = fc.array(fc.nat(0xffff), { maxLength: 150 })
    .map((units) => String.fromCharCode(...units));
  fc.assert(fc.property(texts, (text) => {
    const file = fileOf(text);
    for (const line of file.split("\r\n")) {
      assert.ok(new TextEncoder().encode(line).length <= 75, line);
      assert.ok(line.isWellFormed() || !text.isWellFormed());
    }
    assert.doesNotMatch(file.replaceAll("\r\n", ""), /[\p{Cc}\p{Zl}\p{Zp}]/u);
    assert.equal(unfolded(file).length, lines.length);
  }));
});

Deno.test("/mcs150.ics is an all-day event with alarms, the same except for its timestamp whenever requested", async () => {
  const app = siteOf();
  const ask = async (): Promise<string> => await (await app.visit("/mcs150.ics?dot=286764")).text();
  const { headers } = await app.visit("/mcs150.ics?dot=286764");
  assert.equal(headers.get("content-type"), "text/calendar; charset=utf-8");
  assert.equal(headers.get("content-disposition"), 'attachment; filename="mcs150-286764.ics"');
  const first = await ask();
  const lines = unfolded(first);
  assert.match(lines.splice(11, 1)[0]!, /^DESCRIPTION:USDOT 286764: the last digit 4 means April/);
  assert.deepEqual(lines, [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Carrier Compliance Lookup//Deadlines//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    "UID:mcs150-286764-2028-04-30@carriers.example",
    "DTSTAMP:20261005T160000Z",
    "DTSTART;VALUE=DATE:20280430",
    "DTEND;VALUE=DATE:20280501",
    "SUMMARY:MCS-150 update of USDOT 286764 is due",
    "URL:https://carriers.example/mcs150?dot=286764",
    "TRANSP:TRANSPARENT",
    ...[30, 7].flatMap((days) => [
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      "DESCRIPTION:MCS-150 update of USDOT 286764 is due",
      `TRIGGER:-P${days}D`,
      "END:VALARM",
    ]),
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
  app.clock.advance(86_400_000);
  assert.equal((await ask()).replace("20261006T160000Z", "20261005T160000Z"), first);
  // Regression: the page said 2028 beside a calendar file for 2026. An early filing changes neither.
  const early = "dot=286760&filed=2026-10-01";
  const file = await (await app.visit(`/mcs150.ics?${early}`)).text();
  assert.match(file, /DTSTART;VALUE=DATE:20261031\r\n/);
  const page = await (await app.visit(`/mcs150?${early}`)).text();
  assert.match(page, /due by Oct 31, 2026<\/h2>.*Filed early, on Oct 1, 2026/s);
});
