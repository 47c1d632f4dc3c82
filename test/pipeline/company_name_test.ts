/**
 * Comparison of names: a table of pairs, and properties of all names.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { compareName, isSameName, MATCHES } from "../../pipeline/company_name.ts";
import { ABBREVIATIONS, parseName } from "../../pipeline/name_words.ts";
import { ANY_UNIT } from "../any_unit.ts";
import PAIRS from "./name_pairs.tsv" with { type: "text" };

const TRADE =
  ("brokerage logistics trucking transport transportation express freight group holdings services " +
    "hauling carriers lines enterprises leasing construction excavating farms towing moving delivery " +
    "storage warehouse warehousing dispatch transfer cartage courier distribution equipment supply " +
    "rentals management solutions systems national international global american southern northern " +
    "western eastern midwest coastal texas ohio florida california usa brothers sons family partners " +
    "truckers haulers movers builders paving concrete recycling sanitation ii iii jr 2").split(" ");

const WORDS = ("blue river eagle smith garcia kj acme lone pine 66 miller hill o'neil " +
  TRADE.slice(0, 30).join(" ")).split(" ");

/** Two to five words without repeats, because a repeated word may be a repeated name. */
const NAME = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 5 });

const resultOf = (given: string, legal_name: string) => compareName(given, { legal_name }).result;

Deno.test("compareName() compares the pairs of the table as expected, and names the word that differs", () => {
  const wrong: string[] = [];
  const rows = PAIRS.split("\n").slice(1).filter((line) => line !== "" && !line.startsWith("# "));
  assert.ok(rows.length > 150);
  for (const line of rows) {
    const [given = "", legal_name = "", dba_name = "", expected, named = ""] = line.split("\t");
    const { result, reason } = compareName(given, { legal_name, dba_name });
    if (result !== expected) wrong.push(`${line}: ${result} (${reason})`);
    else if (result === "match") assert.equal(reason, null, line);
    else if (!(reason ?? "").includes(named)) wrong.push(`${line}: ${reason}`);
  }
  assert.deepEqual(wrong, []);
});

Deno.test("compareName() gives its reason in words", () => {
  const filed = { legal_name: "GENERAL TRANSPORT INC", dba_name: null };
  const reasons: [given: string, reason: string | null][] = [
    ["General Transport", null],
    ["General Transport Brokerage LLC", "'Brokerage' isn't in FMCSA's name"],
    ["General Transport Group of Ohio", "'Group' and 'Ohio' aren't in FMCSA's name"],
    ["General", "FMCSA's name also has 'TRANSPORT'"],
    ["General Freight", "'Freight' where FMCSA has 'TRANSPORT'"],
    ["Genral Transport", "'Genral' where FMCSA has 'GENERAL'"],
    ["General Transport LLC", "'LLC' where FMCSA has 'INC'"],
    ["Transport General", "The same words in another order"],
    ["General & Transport", "'&' isn't in FMCSA's name"],
    ["Blue River Trucking", "No word is the same as in FMCSA's name"],
    ["N/A", "'N/A' isn't a name"],
    ["", null],
  ];
  for (const [given, reason] of reasons) {
    assert.equal(compareName(given, filed).reason, reason, given);
  }
  const both = { legal_name: "SMITH INC", dba_name: "FAST BROKERAGE" };
  assert.equal(
    compareName("Smith Brokerage", both).reason,
    "'Brokerage' isn't in FMCSA's legal name",
  );
  const none = { legal_name: "", dba_name: "none" };
  assert.equal(compareName("Smith", none).reason, "FMCSA has no name to compare with");
});

Deno.test("a name matches itself, and any text gets a result", () => {
  fc.assert(fc.property(fc.string({ unit: ANY_UNIT }), fc.string({ unit: ANY_UNIT }), (a, b) => {
    const { result } = compareName(a, { legal_name: a, dba_name: b });
    assert.ok(result === "match" || !/[a-z0-9]/i.test(a) || resultOf(a, "x y z") === "unknown");
    assert.ok(MATCHES.includes(compareName(a, { legal_name: b, dba_name: null }).result));
  }));
  for (
    const text of ["A".repeat(10_000), "K & ".repeat(2_500), "dba (".repeat(2_000), "'".repeat(1e4)]
  ) {
    const { reason } = compareName(`${text} Smith`, { legal_name: text, dba_name: `${text} Inc` });
    assert.ok((reason ?? "").length < 300);
    if (/\w/.test(text)) assert.equal(resultOf(text, text), "match");
  }
});

Deno.test("isSameName() is true exactly where compareName() says match", () => {
  fc.assert(fc.property(NAME, NAME, fc.constantFrom("", " llc", " dba acme"), (a, b, end) => {
    for (const [given, filed] of [[a, a], [a, b], [a, a.toReversed()], [a, a.slice(1)]]) {
      const [one, other] = [given!.join(" ") + end, filed!.join(" ")];
      assert.equal(
        isSameName(parseName(one), parseName(other)),
        resultOf(one, other) === "match",
        `${one} / ${other}`,
      );
    }
  }));
});

Deno.test("compareName() is symmetric", () => {
  fc.assert(fc.property(NAME, NAME, fc.nat(), fc.nat(), (a, b, from, letter) => {
    const [one, other] = [a.join(" "), b.join(" ")];
    assert.equal(resultOf(one, other), resultOf(other, one));
    const slip = a.with(
      from % a.length,
      a[from % a.length]!.replace(/[a-z]/g, (found, at) => at === letter % 8 ? "e" : found),
    ).join(" ");
    assert.equal(resultOf(one, slip), resultOf(slip, one), `${one} / ${slip}`);
  }));
});

Deno.test("a name with a word added, missing or changed is different, and the word is named", () => {
  fc.assert(fc.property(NAME, fc.constantFrom(...TRADE), fc.nat(), (words, extra, at) => {
    fc.pre(!words.includes(extra));
    const [name, longer] = [words, words.toSpliced(at % (words.length + 1), 0, extra)]
      .map((words) => words.join(" "));
    const added = compareName(longer!, { legal_name: name! });
    assert.deepEqual(added, { result: "different", reason: `'${extra}' isn't in FMCSA's name` });
    const missing = compareName(name!, { legal_name: longer! });
    assert.deepEqual(missing, { result: "different", reason: `FMCSA's name also has '${extra}'` });
    const changed = words.with(at % words.length, extra).join(" ");
    assert.equal(resultOf(changed, name!), "different", `${changed} / ${name}`);
  }));
});

Deno.test("a name with a trade abbreviation matches the name with the full word", () => {
  for (const [abbreviation, words] of ABBREVIATIONS) {
    for (const word of words) {
      assert.equal(resultOf(`Acme ${abbreviation} LLC`, `ACME ${word.toUpperCase()}`), "match");
    }
  }
  assert.equal(resultOf("Acme Transport", "ACME TRANSPORTATION"), "different");
});
