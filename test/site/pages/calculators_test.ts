import assert from "node:assert/strict";
import { siteOf } from "../app.ts";

async function read(target: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await siteOf().visit(target);
  const { status, headers } = response;
  return { status, headers, text: (await response.text()).replaceAll(/\s+/g, " ") };
}

Deno.test("/mcs150 shows dates, time left and the rule for a number, however it is written", async () => {
  for (const dot of ["286764", "USDOT 286764", "00286764", " 286764.0 "]) {
    const { status, text } = await read(`/mcs150?dot=${encodeURIComponent(dot)}`);
    assert.equal(status, 200, dot);
    assert.match(text, /<h2 id="result">USDOT 286764: due by Apr 30, 2028</);
    assert.match(text, /573 days/);
    assert.match(text, /Previous date.*Apr 30, 2026/);
    assert.match(text, /the last digit 4 means April/);
    assert.match(text, /class="here"><th>4<\/th>/);
    assert.doesNotMatch(text, /class="notice/);
  }
});

Deno.test("/mcs150 says what a filing date means for the deadline", async () => {
  for (
    const [dot, filed, next, says] of [
      [
        "286764",
        "2026-01-23",
        "Apr 30, 2028",
        /ok">Last filed Jan 23, 2026: the next update is due/,
      ],
      [
        "286764",
        "2024-01-01",
        "Apr 30, 2028",
        /bad">With nothing.*Apr 30, 2026 is 158 days overdue/,
      ],
      ["286764", "2024-08-01", "Apr 30, 2028", /info">.*more than 12 months before.*Apr 30, 2026/],
      [
        "286760",
        "2025-01-01",
        "Oct 31, 2026",
        /warn">Last filed Jan 1, 2025: the next update is due/,
      ],
    ] as const
  ) {
    const { status, text } = await read(`/mcs150?dot=${dot}&filed=${filed}`);
    assert.equal(status, 200);
    assert.match(text, new RegExp(`class="notice ${says.source}`), filed);
    assert.ok(text.includes(`due by ${next}</h2>`), "the calendar has a date to come");
  }
});

Deno.test("/mcs150 explains errors beside the field, and keeps what was typed", async () => {
  const bad = await read("/mcs150?dot=12%22%3E%3Cb&filed=2026-01-01");
  assert.equal(bad.status, 400);
  assert.equal(bad.headers.get("cache-control"), "no-store");
  assert.match(
    bad.text,
    /value="12&quot;&gt;&lt;b"[^>]*aria-describedby="dot-error" aria-invalid="true"/,
  );
  assert.match(bad.text, /id="dot-error">Enter a USDOT number of 1 to 8 digits/);
  assert.match(bad.text, /name="filed" value="2026-01-01"/);
  for (const filed of ["2027-01-01", "2026-02-30", "yesterday"]) {
    const { status, text } = await read(`/mcs150?dot=286764&filed=${filed}`);
    assert.equal(status, 400, filed);
    assert.match(text, /id="filed-error">Enter/, filed);
  }
  assert.equal((await read("/mcs150?dot=")).status, 400);
  const docket = await read("/mcs150?dot=MC-186800");
  assert.match(docket.text, /This is an MC number/, "186800 is another company's USDOT number");
  assert.equal((await read("/mcs150")).status, 200);
});

Deno.test("/mcs150.ics is a calendar file for the same date, the same but for its stamp whenever asked for", async () => {
  const app = siteOf();
  const ask = async (): Promise<string> => await (await app.visit("/mcs150.ics?dot=286764")).text();
  const { headers } = await app.visit("/mcs150.ics?dot=286764");
  assert.equal(headers.get("content-type"), "text/calendar; charset=utf-8");
  assert.equal(headers.get("content-disposition"), 'attachment; filename="mcs150-286764.ics"');
  const first = await ask();
  assert.match(first, /DTSTART;VALUE=DATE:20280430\r\n/);
  assert.match(first, /UID:mcs150-286764-2028-04-30@carriers\.example\r\n/);
  app.clock.advance(86_400_000);
  const next = await ask();
  assert.notEqual(next, first);
  assert.equal(next.replace("20261006T160000Z", "20261005T160000Z"), first);
  // Incident: the page said 2028 beside a calendar file for 2026. An early filing moves neither.
  const early = "dot=286760&filed=2026-10-01";
  const file = await (await app.visit(`/mcs150.ics?${early}`)).text();
  assert.match(file, /DTSTART;VALUE=DATE:20261031\r\n/);
  const page = await (await app.visit(`/mcs150?${early}`)).text();
  assert.match(page, /due by Oct 31, 2026<\/h2>.*Filed early, on Oct 1, 2026/s);
});

Deno.test("/mcs150.ics answers a bad number with a page of its error", async () => {
  const { status, text, headers } = await read("/mcs150.ics?dot=x");
  assert.equal(status, 400);
  assert.match(headers.get("content-type")!, /^text\/html/);
  assert.match(text, /Enter a USDOT number of 1 to 8 digits/);
});

Deno.test("/ucr shows bracket and fee, and marks them in the table", async () => {
  const { status, text } = await read("/ucr?vehicles=4&year=2026");
  assert.equal(status, 200);
  assert.match(text, /<h2 id="result">\$138 for 2026</);
  assert.match(
    text,
    /class="here"><th>2<\/th><td>3 to 5<\/td><td class="right"><strong>\$138<\/strong><\/td><td class="right">\$167</,
  );
  assert.match(text, /<option value="2026" selected/);
  for (const vehicles of ["1001", "1,001", " 1,001 ", "%EF%BC%91001"]) {
    assert.match((await read(`/ucr?vehicles=${vehicles}`)).text, /\$54,165 for 2027/, vehicles);
  }
  const plain = await read("/ucr");
  assert.equal(plain.status, 200);
  assert.match(plain.text, /\$44,836/);
  assert.doesNotMatch(plain.text, /class="here"/);
});

Deno.test("/ucr never says whether a carrier has paid", async () => {
  const { text } = await read("/ucr?vehicles=4");
  assert.doesNotMatch(text, /unpaid|has paid|not paid/i);
  assert.match(text, /No public file shows whether a carrier has registered/);
});

Deno.test("/ucr explains errors beside the field, and keeps what was typed", async () => {
  const { status, text } = await read("/ucr?vehicles=4.5&year=2026");
  assert.equal(status, 400);
  assert.match(text, /value="4\.5"[^>]*aria-invalid="true"/);
  assert.match(text, /id="vehicles-error">Enter a whole number of vehicles/);
  for (const vehicles of ["", "-1", "1,01", "1,0001", "four", "1e3", "9".repeat(16)]) {
    const wrong = await read(`/ucr?vehicles=${vehicles}`);
    assert.equal(wrong.status, 400, vehicles);
    assert.doesNotMatch(wrong.text, /Cannot parse/, "parser text never reaches people");
  }
  const year = await read("/ucr?vehicles=4&year=1999");
  assert.match(year.text, /id="year-error">Choose 2027 or 2026/);
  assert.match(year.text, /name="vehicles" value="4"/);
});
