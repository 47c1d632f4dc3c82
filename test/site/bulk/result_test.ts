import { parse } from "csv-parse/sync";
import fc from "fast-check";
import assert from "node:assert/strict";
import type { BatchItem } from "../../../api/operations/batch.ts";
import { toCarrier } from "../../../api/rules/carrier.ts";
import type { CarrierRecord } from "../../../pipeline/snapshot/record.ts";
import { arrange, countOutcomes } from "../../../site/bulk/arrange.ts";
import { parseUpload } from "../../../site/bulk/parse_upload.ts";
import {
  type Answer,
  CSV_HEAD,
  csvCell,
  csvLines,
  resultMaker,
  type ResultRow,
} from "../../../site/bulk/result.ts";
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

/** Results of a list whose numbers are answered by what they are read as. */
function results(text: string, answers: Record<string, BatchItem | Answer>): ResultRow[] {
  const list = parseUpload(text);
  assert.ok("rows" in list);
  const make = resultMaker();
  return list.rows.map((row) => {
    if (row.wanted === null) return make(row);
    const answer = answers[`${row.wanted.kind} ${row.wanted.number}`]!;
    const whole = "holders" in answer ? answer : { item: answer, holders: [Number(answer.dot)] };
    return make(row, whole);
  });
}

function words({ facts }: ResultRow): string[] {
  return facts.map(({ tone, words }) => `${tone}: ${words}`);
}

Deno.test("a row says the facts, the worst first, not the names of checks", () => {
  const oos = { inspections: 20, out_of_service: 10 };
  const none = { inspections: 0, out_of_service: 0 };
  const inspected = {
    total: 20,
    last: "2026-09-01",
    violations: 30,
    vehicle: oos,
    driver: none,
    hazmat: none,
  };
  const cases: [members: Partial<CarrierRecord>, facts: string[]][] = [
    [{ status: "I" }, ["bad: Inactive"]],
    [{ status: "P" }, ["warn: Registration pending"]],
    [{ mcs150_date: "2020-01-01" }, ["bad: MCS-150 overdue since Apr 30, 2026"]],
    [{ rating: "U", rating_date: "2014-05-01" }, ["bad: Rated Unsatisfactory"]],
    [{ rating: "C", rating_date: "2014-05-01" }, ["warn: Rated Conditional"]],
    [{ inspections: inspected }, ["warn: Vehicle out-of-service rate above average"]],
    [{ inspections: { ...inspected, driver: oos } }, [
      "warn: Vehicle and driver out-of-service rates above average",
    ]],
    [{ classes: ["AUTHORIZED FOR HIRE"], status: "I" }, [
      "bad: Inactive",
      "warn: No active docket: confirm operating authority",
    ]],
  ];
  for (const [members, facts] of cases) {
    const [row] = results("286764", { "USDOT 286764": found(286764, members) });
    assert.deepEqual(words(row!), facts);
    assert.equal(row!.outcome, "review");
  }
});

Deno.test("there is no green tick while checks have no data", () => {
  const [row] = results("286764", { "USDOT 286764": found(286764) });
  assert.equal(row!.outcome, "clear");
  assert.match(words(row!)[0]!, /^info: No issues found; [2-5] of 6 checks have no data$/);
});

Deno.test("a docket is looked up as a docket, and what speaks against its carrier is said", () => {
  const dockets = [{ prefix: "MC", number: 1896, status: "A" as const }];
  const item = found(111898, { dockets });
  const [own] = results("MC 1896", { "MC 1896": { item, holders: [111898] } });
  assert.deepEqual([own!.readAs, own!.dot, own!.outcome], ["MC 1896", "111898", "clear"]);
  const [shared] = results("MC 1896", { "MC 1896": { item, holders: [111898, 5, 6] } });
  assert.deepEqual(words(shared!), ["warn: MC 1896 is shared by 3 USDOT numbers"]);
  assert.deepEqual([shared!.outcome, shared!.others], ["review", ["5", "6"]]);
  const [none] = results("MC 99", { "MC 99": { item: failed(0, "not_found"), holders: [] } });
  assert.deepEqual([none!.outcome, none!.dot], ["missing", ""]);
  assert.deepEqual(words(none!), ["info: No carrier in the data lists MC 99"]);
  // The list says that both numbers are of one carrier, and they are not.
  const [other] = results("USDOT,MC\n111898,7", { "USDOT 111898": item });
  assert.deepEqual(words(other!), ["warn: MC 7 isn't listed for USDOT 111898"]);
  const [same] = results("USDOT,MC\n111898,1896", { "USDOT 111898": item });
  assert.equal(same!.outcome, "clear");
});

Deno.test("rows that repeat a carrier say which row has it first, also as another number", () => {
  const dockets = [{ prefix: "MC", number: 1896, status: "A" as const }];
  const item = found(111898, { dockets });
  const rows = results("USDOT 111898\nMC 1896\nMC 99\nx\nMC 99\nUSDOT 4\nx", {
    "USDOT 111898": item,
    "MC 1896": { item, holders: [111898] },
    "MC 99": { item: failed(0, "not_found"), holders: [] },
    "USDOT 4": failed(4, "upstream_unavailable"),
  });
  assert.deepEqual(rows.map(({ repeats }) => repeats), [null, 1, null, null, 3, null, null]);
});

Deno.test("the counts of the outcomes add up to the rows, whatever is in a list", () => {
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
      assert.ok(row.facts.length > 0);
      assert.doesNotMatch(words(row).join(), /Cannot parse/, "parser text never reaches people");
    }
  }));
});

Deno.test("the CSV file has the row, what it was read as, the list's name and the facts", () => {
  const text = 'Name,MC #\n"SAY ""HI"", LLC",1896\nJOSÉ; SONS,x\nA\u200bC\u202eME,99\n';
  const item = found(111898, { status: "I", legal_name: "O'NEIL\r\nINC" });
  const csv = CSV_HEAD + csvLines(results(text, {
    "MC 1896": { item, holders: [111898, 5] },
    "MC 99": { item: failed(0, "not_found"), holders: [] },
  }));
  assert.equal(csv.charCodeAt(0), 0xfeff);
  assert.equal(csv.match(/\r\n/g)!.length, 4);
  const records: Record<string, string>[] = parse(csv, { bom: true, columns: true });
  const { row, read_as, your_name, dot, result, facts, other_dots, name } = records[0]!;
  assert.deepEqual([row, read_as, your_name, dot, result, other_dots, name], [
    "2",
    "MC 1896",
    'SAY "HI", LLC',
    "111898",
    "Needs review",
    "5",
    "O'NEIL INC",
  ]);
  assert.match(facts!, /^Inactive; MC 1896 is shared by 2 USDOT numbers/);
  assert.deepEqual(records.map(({ result }) => result), [
    "Needs review",
    "Unreadable",
    "Not found",
  ]);
  assert.equal(records[1]!.facts, "“x”: not a number");
  assert.equal(records[2]!.your_name, "ACME", "what cannot be seen is left out, as on the pages");
  const again = parseUpload(csv.slice(1).replaceAll("\r\n", "\n"));
  assert.ok("rows" in again);
  assert.deepEqual(again.rows[0]!.wanted, { kind: "USDOT", number: 111898 });
});

Deno.test("csvCell() lets no cell begin as a formula, in any width, after blanks or in another country's cells", () => {
  const begins = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"];
  for (const begin of begins) {
    const formula = `${begin}HYPERLINK("http://x")`;
    for (const name of [formula, ` ${formula}`, `\t${formula}`, `\r${formula}`, `\n${formula}`]) {
      const [[cell]] = parse(csvCell(name)) as [[string]];
      assert.match(cell!, /^'/, JSON.stringify(name));
      assert.doesNotMatch(cell!, /[\t\r\n]/, JSON.stringify(name));
    }
    // A spreadsheet that splits at semicolons would see another cell here.
    const [[cell]] = parse(csvCell(`A;${formula}`)) as [[string]];
    assert.match(cell!, /^A;'/);
  }
  assert.equal(csvCell("A-B = C"), "A-B = C");
  const unit = fc.oneof(
    fc.constantFrom(...begins, ";", "|", "'", '"', "\t", "\n", " "),
    fc.nat(0xffff)
      .map((code) => String.fromCharCode(code)),
  );
  fc.assert(fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (name) => {
    // A name of nothing that can be seen is an empty cell, and alone it would be no row.
    const [[, cell]] = parse("1," + csvCell(name)) as [[string, string]];
    assert.doesNotMatch(cell!, /^\s*[=+\-@]|[;|]\s*[=+\-@]|[\p{Cc}\p{Cf}]/u);
  }));
});
