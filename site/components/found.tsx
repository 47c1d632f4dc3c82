/**
 * A table of the carriers that list a docket or match a search, with checkboxes to compare some of them.
 *
 * @module
 */

import { placeOf, usdotStatusWord } from "../../api/rules/words.ts";
import { stateCode } from "../../pipeline/search/query/query.ts";
import { tokenize } from "../../pipeline/search/shared/tokenizer.ts";
import { isSlip } from "../../pipeline/spelling.ts";
import { capitalized, counted, inert } from "../../pipeline/text.ts";
import { FiledText } from "./blocks.tsx";

/** A carrier in the results. A blank number of power units is 0, as is a filed 0. */
interface FoundCarrier {
  dot: string | number;
  name: string;
  dba_name: string | null;
  city: string;
  state: string;
  power_units: number;
  active: boolean;
}

interface ResultsProps {
  results: readonly FoundCarrier[];
  /** Words of the query are highlighted in the results. */
  query?: string;
  /** How many results contain all words of the query; they come first. @default {all} */
  whole?: number;
}

/** Explains the keys of `rows.js`. Shown only if scripts run. */
export function KeysHint({ pick }: { pick: boolean }) {
  return (
    <p class="hint keys">
      Keys: j for the next row, k for the previous one, Enter to open the carrier{pick
        ? ", x to select it, then Enter to compare."
        : "."}
    </p>
  );
}

export function Results({ results, query = "", whole = results.length }: ResultsProps) {
  const words = queryWords(query);
  const pick = results.length > 1;
  return (
    <form action="/compare" class="results">
      <KeysHint pick={pick} />
      <table class={pick ? "found picks" : "found"} data-keys>
        <caption class="unseen">Carriers found</caption>
        <thead>
          <tr>
            {pick && (
              <th scope="col">
                <span class="unseen">Compare</span>
              </th>
            )}
            <th scope="col">Carrier</th>
            <th scope="col">USDOT</th>
            <th scope="col">Location</th>
            <th scope="col" class="right">Power units</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {results.map((result, at) => (
            <>
              {at === whole && at > 0 && (
                <tr class="rest">
                  <td colspan={pick ? 6 : 5}>Partial matches</td>
                </tr>
              )}
              <Row result={result} pick={pick} words={words} />
            </>
          ))}
        </tbody>
      </table>
      {pick && (
        <p class="actions reach">
          <button type="submit" class="quiet">Compare selected</button>
          <span class="soft">2 to 4</span>
        </p>
      )}
    </form>
  );
}

function Row({ result, pick, words }: {
  result: FoundCarrier;
  pick: boolean;
  words: ReadonlySet<string>;
}) {
  const { dot, name, dba_name, power_units, active } = result;
  const status = capitalized(usdotStatusWord(result));
  const place = placeOf(result);
  return (
    <tr>
      {pick && (
        <td class="pick">
          <label>
            <input type="checkbox" name="dot" value={dot} aria-label={`Compare USDOT ${dot}`} />
          </label>
        </td>
      )}
      <th scope="row">
        <a href={`/carriers/${dot}`}>
          <Marked text={name} words={words} />
        </a>
        {dba_name !== null && (
          <small>
            dba <Marked text={dba_name} words={words} />
          </small>
        )}
      </th>
      <td>{dot}</td>
      <td>
        {place === "" ? <i>not reported</i> : <Marked text={place} words={words} />}
      </td>
      <td class="right">
        {power_units === 0 ? <i>not reported</i> : counted(power_units)}
      </td>
      <td>{active ? status : <span class="state bad">{status}</span>}</td>
    </tr>
  );
}

/** Maximum number of words that may match one word of the query: `J B HUNT` matches `jbhunt`. */
const MOST_JOINED = 3;

/** Minimum length of a query word that also highlights words that begin with it or that it misspells. */
const SHORTEST = 3;

/** The words of a query, pairs of adjacent words joined, and the codes of the states that it names. */
function queryWords(query: string): ReadonlySet<string> {
  const typed = tokenize(query);
  const pairs = typed.slice(1).map((word, at) => [typed[at]!, word] as const);
  return new Set([
    ...typed,
    ...pairs.map((pair) => pair.join("")),
    ...[...typed, ...pairs.map((pair) => pair.join(" "))].flatMap((name) => stateCode(name) ?? []),
  ]);
}

/** Filed text with the words of the query highlighted. */
function Marked({ text, words }: { text: string; words: ReadonlySet<string> }) {
  const shown = inert(text);
  if (words.size === 0 || shown === "") return <FiledText text={shown} />;
  const parts = shown.split(/([\s,]+)/);
  const marked = new Set<number>();
  // Words have even indexes, separators odd ones.
  for (let at = 0; at < parts.length; at += 2) {
    let joined = "";
    for (let end = at; end < Math.min(parts.length, at + 2 * MOST_JOINED); end += 2) {
      joined += tokenize(parts[end]!).join("");
      if (joined === "" || !(end === at ? matchesQueryWord(joined, words) : words.has(joined))) {
        continue;
      }
      for (let one = at; one <= end; one += 2) marked.add(one);
    }
  }
  return (
    <bdi>{parts.map((part, at) => marked.has(at) && part !== "" ? <mark>{part}</mark> : part)}</bdi>
  );
}

function matchesQueryWord(word: string, words: ReadonlySet<string>): boolean {
  return words.has(word) ||
    [...words].some((sought) =>
      sought.length >= SHORTEST && (word.startsWith(sought) || isSlip(sought, word))
    );
}
