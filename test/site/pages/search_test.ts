import assert from "node:assert/strict";
import { openSource } from "../../../pipeline/snapshot/open_source.ts";
import { documentOf, textOf } from "../document.ts";
import { siteOver } from "../app.ts";
import { builtSample } from "../../pipeline/sample/built_sample.ts";

const { visit: ask } = siteOver(openSource(await builtSample()));

function search(query: string, more = ""): string {
  return `/search?q=${encodeURIComponent(query)}${more}`;
}

Deno.test("a number leads to its carrier, however it is written", async () => {
  for (
    const [query, path] of [
      ["286764", "/carriers/286764"],
      ["00286764", "/carriers/286764"],
      ["USDOT 286764", "/carriers/286764"],
      ["dot#286764", "/carriers/286764"],
      ["MC 186800", "/carriers/286764"],
      ["mc-186800", "/carriers/286764"],
      // Not a USDOT number in the sample: the page says so.
      ["90999999", "/carriers/90999999"],
      // These digits are an MC number too, of another carrier.
      ["186800", "/carriers/186800?mc=186800"],
    ] as const
  ) {
    const { status, headers, body } = await ask(search(query));
    await body?.cancel();
    assert.deepEqual([status, headers.get("location")], [303, path], query);
  }
});

Deno.test("an MC number that several carriers list is a choice, never a guess", async () => {
  const document = await documentOf(await ask(search("MC 9800004")));
  const links = [...document.querySelectorAll(".found a")].map((link) => link.getAttribute("href"));
  assert.deepEqual(links, ["/carriers/90010017", "/carriers/90010018", "/carriers/90010016"]);
  // A sample is called one: what it lacks may be in FMCSA's census.
  assert.match(
    document.querySelector("main")!.textContent,
    /More than one carrier lists this docket in this sample/,
  );
  assert.match(
    await textOf(await ask("/compare?dot=286764&dot=99")),
    /USDOT 99 is not in this sample/,
  );
});

Deno.test("a name leads to a list that distinguishes namesakes", async () => {
  const response = await ask(search("general transport akron"));
  assert.equal(response.status, 200);
  const document = await documentOf(response);
  const [first] = document.querySelectorAll(".found li");
  assert.match(
    first!.textContent.replace(/\s+/g, " "),
    /GENERAL TRANSPORT INC ?USDOT 286764 · AKRON, OH · 85 power units · active/,
  );
  assert.match(await textOf(await ask(search("inactive plain freight"))), /· not active/);
});

Deno.test("a list has 25 carriers, and 50 for those who want more", async () => {
  const few = await documentOf(await ask(search("transport")));
  assert.equal(few.querySelectorAll(".found li").length, 25);
  assert.equal(few.querySelector("a.button")!.getAttribute("href"), "/search?q=transport&limit=50");
  const many = await documentOf(await ask(search("transport", "&limit=50")));
  assert.equal(many.querySelectorAll(".found li").length, 50);
  assert.equal(many.querySelector("a.button")!.getAttribute("href"), "/search?q=transport");
});

Deno.test("a search without results helps", async () => {
  const text = await textOf(await ask(search("zzzzqqqq")));
  assert.match(text, /No carrier found.*does not show that the carrier does not exist/);
  assert.match(text, /spelling.*Leave words out.*SAFER Company Snapshot/);
  assert.match(
    await textOf(await ask(search("MC 99999999"))),
    /No carrier lists MC 99999999 in this sample/,
  );
});

Deno.test("a query that cannot be searched for is explained beside the box, which keeps it", async () => {
  for (
    const [query, message] of [
      ["a", "at least 2 characters"],
      [" ", "at least 2 characters"],
      ["x".repeat(201), "at most 200 characters"],
      ["a b c d e f g h i j k l m", "at most 12 words"],
    ] as const
  ) {
    const response = await ask(search(query));
    assert.equal(response.status, 400, query);
    const document = await documentOf(response);
    const box = document.querySelector("#q")!;
    assert.equal(box.getAttribute("value"), query);
    assert.equal(box.getAttribute("aria-invalid"), "true");
    const hint = document.querySelector(`#${box.getAttribute("aria-describedby")}`)!;
    assert.ok(hint.textContent.includes(message), query);
  }
  assert.equal((await ask(search("acme", "&limit=51"))).status, 400);
  assert.equal((await ask("/search?q=a1&q=b2")).status, 400);
  assert.equal((await ask("/search")).status, 200);
});

Deno.test("suggestions are few, small and JSON, and so are their errors", async () => {
  const response = await ask("/suggest?q=transport");
  assert.equal(response.headers.get("ratelimit-limit"), "600");
  assert.ok(response.headers.get("snapshot-id"));
  const { results } = await response.json();
  assert.equal(results.length, 8);
  for (const result of results) {
    assert.deepEqual(Object.keys(result), ["dot", "name", "dba_name", "city", "state", "active"]);
  }
  const short = await ask("/suggest?q=a");
  assert.deepEqual([short.status, (await short.json()).error.code], [400, "invalid_query"]);
  const { results: [turned] } = await (await ask("/suggest?q=desrever")).json();
  assert.doesNotMatch(turned.name, /\p{C}/u);
});
