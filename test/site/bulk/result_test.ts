import { parse } from "csv-parse/sync";
import fc from "fast-check";
import assert from "node:assert/strict";
import type { BatchItem } from "../../../api/operations/batch.ts";
import { csvCell, type Outcome, OUTCOMES } from "../../../api/operations/csv.ts";
import { findingHead } from "../../../api/rules/findings.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record/record.ts";
import {
  arrange,
  countOutcomes,
  PAGE_ROWS,
  queryOf,
  readArrangement,
  SORTS,
} from "../../../site/pages/bulk_table.tsx";
import { parseUpload } from "../../../site/bulk/parse_upload.ts";
import { CSV_HEAD, resultMaker, type ResultRow } from "../../../site/bulk/result.ts";
import { anyRecord } from "../../api/rules/arbitrary.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

const FILED = { operation: "A", mcs150_date: "2026-01-23", power_units: 4 } as const;

function found(dot: number, members: Partial<CarrierRecord> = {}): BatchItem {
  const carrier = toCarrier(record(dot, { ...FILED, ...members }), {
    today: "2026-10-05",
    baseUrl: "https://carriers.example",
    snapshot: {
      id: "a",
      manifest: {
        data_date: "2026-10-03",
        inspections_date: "2026-10-03",
        window: { from: "2024-10-04", to: "2026-10-03" },
      },
    },
  });
  return { dot: String(dot), ok: true, carrier };
}

function failed(dot: number, code: "not_found" | "upstream_unavailable"): BatchItem {
  return { dot: String(dot), ok: false, error: { code, message: "Cannot parse" } };
}

/** The results of a list, given the answer for each kind and number. For a docket, it includes the holders. */
function results(
  text: string,
  answers: Record<string, BatchItem | { item: BatchItem; holders: number[] }>,
): ResultRow[] {
  const list = parseUpload(text);
  assert.ok("rows" in list);
  const make = resultMaker();
  return list.rows.map((row) => {
    if (row.wanted === null) return make(row, null);
    const answer = answers[`${row.wanted.kind} ${row.wanted.number}`]!;
    return "holders" in answer
      ? make({ ...row, holders: answer.holders }, answer.item)
      : make(row, answer);
  });
}

function words({ findings }: ResultRow): string[] {
  return findings.map(findingHead);
}

Deno.test("a row shows facts, the worst first, not the names of checks", () => {
  const oos = { inspections: 20, out_of_service: 10 };
  const none = { inspections: 0, out_of_service: 0 };
  const counts = { total: 20, last: "2026-09-01", violations: 30 };
  const inspected = { ...counts, vehicle: oos, driver: none, hazmat: none };
  const rating_date = "2014-05-01";
  const cases: [members: Partial<CarrierRecord>, ...facts: string[]][] = [
    [{ status: "I" }, "Problem: Inactive"],
    [{ status: "P" }, "Review: Registration pending"],
    [{ mcs150_date: "2020-01-01" }, "Problem: MCS-150 overdue since Apr 30, 2026"],
    [{ rating: "U", rating_date }, "Problem: Rated Unsatisfactory"],
    [{ rating: "C", rating_date }, "Review: Rated Conditional"],
    [{ inspections: inspected }, "Review: Vehicle out-of-service rate above average"],
    [
      { inspections: { ...inspected, driver: oos } },
      "Review: Vehicle and driver out-of-service rates above average",
    ],
    [
      { classes: ["AUTHORIZED FOR HIRE"], status: "I" },
      "Problem: Inactive",
      "Review: No active MC or MX docket: confirm operating authority",
    ],
  ];
  for (const [members, ...facts] of cases) {
    const [row] = results("286764", { "USDOT 286764": found(286764, members) });
    assert.deepEqual(words(row!), facts);
    assert.equal(row!.outcome, facts[0]!.startsWith("Problem") ? "problem" : "review");
  }
});

Deno.test("the counts of the outcomes add up to the rows, whatever the list", () => {
  const line = fc.constantFrom("286764", "4", "5", "x", "1,2", "MC 7", "MC 8", "0", "6");
  fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
    const rows = results(["USDOT", "286764", ...lines].join("\n"), {
      "USDOT 286764": found(286764),
      "USDOT 1": failed(1, "not_found"),
      "USDOT 2": failed(2, "not_found"),
      "USDOT 4": failed(4, "not_found"),
      "USDOT 5": failed(5, "upstream_unavailable"),
      "USDOT 6": found(6, { status: "I" }),
      "MC 7": { item: failed(0, "not_found"), holders: [] },
      "MC 8": { item: found(9), holders: [9, 10] },
    });
    const counts = countOutcomes(rows);
    assert.equal(counts.reduce((sum, [, count]) => sum + count, 0), rows.length);
    for (const [outcome, count] of counts) {
      const asked = { sort: "row", descending: false, show: outcome, page: 1 } as const;
      assert.equal(arrange(rows, asked).count, count);
    }
    for (const row of rows) {
      assert.notEqual(row.verdict, "");
      assert.doesNotMatch(
        [row.verdict, ...words(row)].join(),
        /Cannot parse/,
        "parser text never reaches people",
      );
    }
  }));
});

Deno.test("every finding of a carrier is in its row and in the CSV file, and none appears with “No issues found”", () => {
  const names = fc.constantFrom("", "LEGAL NAME INC", "Some Other Company");
  const states = fc.constantFrom("", "OH", "ZZ");
  const outcomes = new Set<Outcome>();
  fc.assert(
    fc.property(anyRecord(), names, states, (members, name, state) => {
      const item = found(286764, { ...members, dot: 286764 });
      assert.ok(item.ok);
      const { carrier } = item;
      const text = `Name,State,USDOT\n${name},${state},286764`;
      const [row] = results(text, { "USDOT 286764": item });
      const { outcome, verdict, findings, csv } = row!;
      outcomes.add(outcome);
      const known = carrier.findings.map(findingHead);
      const heads = words(row!);
      assert.deepEqual(heads.filter((head) => known.includes(head)).toSorted(), known.toSorted());
      const doubts = findings.slice().filter((finding) => !known.includes(findingHead(finding)));
      assert.equal(
        doubts.length,
        [row!.nameMatch, row!.placeMatch]
          .filter((match) => match === "different" || match === "close").length,
      );
      const has = (kind: string): boolean => findings.some((finding) => finding.kind === kind);
      assert.equal(outcome, has("problem") ? "problem" : has("review") ? "review" : "clear");
      assert.equal(/No issues found/.test(verdict), findings.length === 0);
      const [cells] = parse(CSV_HEAD.slice(1) + csv, { columns: true }) as Record<string, string>[];
      assert.equal(cells!.result, OUTCOMES[outcome]);
      assert.equal(cells!.verdict, csvText(verdict));
      assert.equal(cells!.findings, csvText(heads.join("; ")));
      if (findings.length > 0) assert.doesNotMatch(csv, /No issues found/);
    }),
    { numRuns: 1_000 },
  );
  assert.deepEqual([...outcomes].toSorted(), ["clear", "problem", "review"]);
});

/** A cell as a CSV parser returns it. */
function csvText(text: string): string {
  const [[, cell]] = parse(`1,${csvCell(text)}`) as [[string, string]];
  return cell;
}

Deno.test("a name or place that differs is Review, and the row says which", () => {
  const filed = { legal_name: "WARREN TRANSPORT INC", city: "WATERLOO", state: "IA" };
  const text = "Name,City,State,USDOT\n" +
    ["Warren Transport Inc,Dallas,TX", "Warren Transport Inc,Waterloo,IA", "Waren Transport,,"]
      .map((own) => `${own},1896`).join("\n");
  const rows = results(text, { "USDOT 1896": found(1896, filed) });
  assert.deepEqual(rows.map(({ outcome }) => outcome), ["review", "clear", "review"]);
  assert.deepEqual(words(rows[0]!), [
    "Review: Your city “Dallas” differs from FMCSA's",
    "Review: Your state “TX” differs from FMCSA's",
  ]);
  assert.deepEqual(words(rows[2]!), [
    "Review: Your name “Waren Transport” is close: 'Waren' where FMCSA has 'WARREN'",
  ]);
});

Deno.test("every row of a messy list is in the result at least once, with its own text or its number", () => {
  const line = fc.constantFrom(
    "Dot 278025 (good)",
    "DE FILIPPIS TRANSPORT 106690",
    "19903\tFAHNER CONCRETE LLC",
    "Acme, 330-555-1234, DOT 5555",
    "MC 186800 or MC 143229",
    "load 4432178",
    "278025 DOT 186800 MC",
    "1. 295017",
    "123456789",
    "x7",
    "295017",
  );
  const chosen = new Map([[0, "USDOT" as const], [1, "USDOT" as const]]);
  fc.assert(fc.property(fc.array(line, { minLength: 1 }), fc.boolean(), (lines, words) => {
    const list = parseUpload(["USDOT 31", ...lines].join("\n"), { chosen, words });
    assert.ok("rows" in list);
    const make = resultMaker();
    const rows = list.rows.map((row) =>
      make(row, row.wanted && failed(row.wanted.number, "not_found"))
    );
    for (const [i, line] of ["USDOT 31", ...lines].entries()) {
      const own = rows.filter(({ row }) => row === i + 1);
      assert.ok(own.length > 0, line);
      const shown = own.map(({ csv }) => csv).join();
      for (const digits of line.match(/\d+/g)!) {
        assert.ok(
          shown.includes(digits) || /^\d\./.test(line),
          `${digits} of “${line}” in ${shown}`,
        );
      }
    }
    const counts = countOutcomes(rows);
    assert.equal(counts.reduce((sum, [, count]) => sum + count, 0), rows.length);
  }));
});

Deno.test("a sort and filter survives its query string, and invalid values are ignored", () => {
  const arrangement = fc.record({
    sort: fc.constantFrom(...SORTS),
    descending: fc.boolean(),
    show: fc.constantFrom("all" as const, ...Object.keys(OUTCOMES) as Outcome[]),
    page: fc.integer({ min: 1, max: 999 }),
  });
  fc.assert(fc.property(arrangement, (asked) => {
    assert.deepEqual(readArrangement(new URLSearchParams(queryOf(asked))), { ...asked });
  }));
  const plain = { sort: "row", descending: false, show: "all", page: 1 } as const;
  assert.equal(queryOf(plain), "");
  const nonsense = "sort=facts&dir=up&show=toString&page=-1";
  assert.deepEqual(readArrangement(new URLSearchParams(nonsense)), plain);
});

Deno.test("arrange() shows every row once across the pages, in order, with unknown values last", () => {
  const unread = Array.from({ length: 2 * PAGE_ROWS }, (_, i) => `x${i}`);
  const all = results(["USDOT", "286764", ...unread, "9"].join("\n"), {
    "USDOT 286764": found(286764),
    "USDOT 9": found(9),
  });
  for (const sort of SORTS) {
    for (const descending of [false, true]) {
      const asked = { sort, descending, show: "all" as const };
      const pages = [1, 2, 3].map((page) => arrange(all, { ...asked, page }));
      assert.deepEqual(pages.map(({ shown }) => shown.length), [PAGE_ROWS, PAGE_ROWS, 2]);
      assert.ok(pages.every(({ pages }) => pages === 3));
      const shown = pages.flatMap(({ shown }) => shown);
      assert.equal(new Set(shown).size, all.length, sort);
      if (sort !== "dot") continue;
      const dots = shown.slice(0, 2).map(({ dot }) => dot);
      assert.deepEqual(dots, descending ? ["286764", "9"] : ["9", "286764"]);
    }
  }
});

Deno.test("csvCell() lets no cell start as a formula, in any width, after blanks or with another locale's separators", () => {
  const begins = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"];
  for (const begin of begins) {
    const formula = `${begin}HYPERLINK("http://x")`;
    for (const blank of ["", " ", "\t", "\r", "\n"]) {
      const [[cell]] = parse(csvCell(blank + formula)) as [[string]];
      assert.match(cell!, /^'[^\t\r\n]*$/, JSON.stringify(blank + formula));
    }
    // A spreadsheet that splits at semicolons would see another cell here.
    const [[cell]] = parse(csvCell(`A;${formula}`)) as [[string]];
    assert.match(cell!, /^A;'/);
  }
  assert.equal(csvCell("A-B = C"), "A-B = C");
  const marks = fc.constantFrom(...begins, ";", "|", "'", '"', "\t", "\n", " ");
  const unit = fc.oneof(marks, fc.nat(0xffff).map((code) => String.fromCharCode(code)));
  fc.assert(fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (name) => {
    // A name without visible characters is an empty cell; alone it would not be a row.
    const [[, cell]] = parse("1," + csvCell(name)) as [[string, string]];
    assert.doesNotMatch(cell!, /^\s*[=+\-@]|[;|]\s*[=+\-@]|[\p{Cc}\p{Cf}]/u);
  }));
});
