// Named lists kept in this browser, each with the results of its latest check.

import { keep, readKept } from "./storage.js";

const KEY = "lists";

/**
 * @typedef {{ number: string, own: string, place: string, dot: string, name: string, result: string, verdict: string, status: string }} KeptRow
 * @typedef {{ job: string, day: string, rows: KeptRow[] }} Checked
 * @typedef {{ name: string, before?: Checked | undefined, last: Checked }} KeptList
 */

/** @returns {KeptList[]} */
export function readLists() {
  return readKept(KEY).filter((one) =>
    typeof one?.name === "string" && Array.isArray(one.last?.rows)
  );
}

/** @param {KeptList[]} lists @returns {boolean} Whether the browser stored them; false if it has no room. */
export function keepLists(lists) {
  return keep(KEY, lists);
}

/**
 * Parses a result's CSV file: the rows that have a number, and the date of the data.
 *
 * @param {string} job @param {string} text @returns {Checked}
 */
export function readResult(job, text) {
  const [head = [], ...lines] = cellsOf(text.replace(/^\ufeff/, ""));
  const day = head.indexOf("census_date");
  /** @param {string[]} cells */
  const rowOf = (cells) => {
    const value = (/** @type {string} */ column) => cells[head.indexOf(column)] ?? "";
    return {
      number: value("read_as"),
      own: value("your_name"),
      place: value("your_place"),
      dot: value("dot"),
      name: value("name"),
      result: value("result"),
      verdict: value("verdict"),
      status: value("status"),
    };
  };
  return {
    job,
    day: lines.map((cells) => cells[day] ?? "").find((date) => date !== "") ?? "",
    rows: lines.map(rowOf).filter(({ number }) => number !== ""),
  };
}

/** @param {string} text @returns {string[][]} The cells of each line of a CSV file. */
function cellsOf(text) {
  /** @type {string[][]} */
  const lines = [];
  /** @type {string[]} */
  let cells = [];
  for (const part of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const [, quoted, plain = "", end] = part;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    if (cells.length > 1) lines.push(cells);
    cells = [];
  }
  return lines;
}

/** @param {Checked} one @param {Checked} other @returns {boolean} Whether both have the same numbers, in any order. */
export function sameNumbers(one, other) {
  const [a, b] = [one, other].map(({ rows }) => rows.map(({ number }) => number).sort().join());
  return a === b;
}

/**
 * Pairs of rows whose result or status differs between two checks.
 *
 * @param {Checked} before @param {Checked} now @returns {[was: KeptRow, is: KeptRow][]}
 */
export function differences(before, now) {
  /** @type {Map<string, KeptRow[]>} */
  const byNumber = new Map();
  for (const row of before.rows) {
    byNumber.set(row.number, [...byNumber.get(row.number) ?? [], row]);
  }
  return now.rows.flatMap((is) => {
    const was = byNumber.get(is.number)?.shift();
    return was === undefined || stateWords(was) === stateWords(is) ? [] : [[was, is]];
  });
}

/** @param {KeptRow} row @returns {string} The row's result and status: `Problem: Inactive; listed inactive`. */
export function stateWords({ result, verdict, status }) {
  const said = verdict.startsWith(result) ? verdict : `${result}: ${verdict}`;
  return status === "" ? said : `${said}; listed ${status}`;
}

/** @param {string} day @returns {string} `Oct 3, 2026`. */
export function dayWords(day) {
  // No carrier of the list was found, so no line of the CSV file has a date.
  if (day === "") return "an unknown day";
  const format = /** @type {const} */ ({ year: "numeric", month: "short", day: "numeric" });
  return new Date(day).toLocaleDateString("en-US", { ...format, timeZone: "UTC" });
}

/** @param {Checked} list @returns {string} The list as text or CSV that can be checked again. */
export function asList({ rows }) {
  if (rows.every(({ own, place }) => own === "" && place === "")) {
    return rows.map(({ number }) => number).join("\n");
  }
  const cell = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map(({ number, own, place }) => {
    const [, city = place, state = ""] = /^(.*), ([^,]*)$/.exec(place) ?? [];
    return [number, own, city, state].map(cell).join(",");
  });
  return ["Docket number,Name,City,State", ...lines].join("\n");
}
