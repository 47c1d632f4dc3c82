/**
 * `deno task verify-record`: checks a saved vetting record, or the output of `snapshot prove`, offline.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { note, print } from "../pipeline/io.ts";
import { formatForPeople } from "../pipeline/dates.ts";
import { checkProof, type ProvenRow } from "../pipeline/snapshot/proof.ts";
import { escapeInvisible, inert, messageOf } from "../pipeline/text.ts";
import { BODY_REVISION } from "./http/lookups.ts";
import { type CheckedRecord, checkRecordFile } from "./operations/vetting_record.ts";

const HELP =
  `Checks a vetting record that was saved as JSON, or a file of "snapshot prove", without a network.

  deno task verify-record FILE                      check whether its parts fit each other
  deno task verify-record FILE --manifest SHA256    and compare with the hash of a manifest
  deno task verify-record --help                    print this

It goes from the manifest down to the carrier's row. Of a vetting record it then computes verdict, checks and
history again from that row and compares every member. It names the first part that does not fit.

With --manifest it proves that we published the row on or before the day on which that hash was saved or
attested, unchanged since: not that it is true, not when it was looked up, and not that a carrier is safe. Each
published manifest is attested by the workflow that publishes it; without --manifest the command says how to
check that.

Exit codes: 0 proven, 1 refused (the message names the part), 2 wrong arguments, 3 the parts fit each
other, but no manifest hash was compared.`;

/** Exit code if the file is consistent, but no manifest hash was given to compare it with. */
const NOT_COMPARED = 3;

async function main(args: string[]): Promise<number> {
  let given;
  try {
    given = argumentsOf(args);
  } catch (error) {
    note(escapeInvisible(messageOf(error)));
    note('Run "deno task verify-record --help" for its arguments');
    return 2;
  }
  if (given === null) {
    print(HELP);
    return 0;
  }
  const { file, saved } = given;
  try {
    const text = await Deno.readTextFile(file);
    const isProof = /^\{\s*"proof_format"/.test(text);
    const proven = isProof
      ? await checkProof(text, saved)
      : await checkRecordFile(text, { saved, revision: BODY_REVISION });
    for (const line of isProof ? rowLines(proven) : recordLines(proven as CheckedRecord)) {
      print(escapeInvisible(line));
    }
    for (const line of claimLines(proven, { file, isProof })) print(escapeInvisible(line));
    return proven.anchor === undefined ? NOT_COMPARED : 0;
  } catch (error) {
    note(escapeInvisible(messageOf(error)));
    return 1;
  }
}

/**
 * The parsed arguments; null means `--help`.
 *
 * @throws {TypeError} Names the argument that is wrong.
 */
function argumentsOf(args: string[]): { file: string; saved: string | undefined } | null {
  const { values: { help, manifest: saved }, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" }, manifest: { type: "string" } },
  });
  if (help) return null;
  const [file, ...others] = positionals;
  if (file === undefined) throw new TypeError("Cannot check: the file is missing");
  if (others.length > 0) {
    throw new TypeError(`Cannot check more than one file: ${positionals.join(", ")}`);
  }
  if (saved !== undefined && !/^[0-9a-f]{64}$/.test(saved)) {
    const expected = "a SHA-256 is 64 characters of 0-9 and a-f";
    throw new TypeError(`Cannot use --manifest ${JSON.stringify(saved)}: ${expected}`);
  }
  return { file, saved };
}

function rowLines({ carrier, manifest: { data_date, notice } }: ProvenRow): string[] {
  return [
    `USDOT number ${carrier.dot} in our snapshot of data of ${data_date}:`,
    ...JSON.stringify(carrier, null, 2).split("\n"),
    ...notice === undefined ? [] : [`Notice: ${notice}`],
  ];
}

function recordLines({ manifest: { data_date, notice }, record }: CheckedRecord): string[] {
  const { carrier: { dot, name, verdict }, day } = record;
  return [
    `Vetting record of USDOT number ${dot}, ${inert(name, 200)}`,
    `Data of ${formatForPeople(data_date)}, computed for ${formatForPeople(day)}: ${verdict}`,
    "Carrier and history are what this code computes from the row of the snapshot.",
    ...notice === undefined ? [] : [`Notice: ${notice}`],
  ];
}

/** What the file proves and what it does not, or how to prove it. */
function claimLines(
  { manifest: { data_date }, manifestSha256, later, anchor }: ProvenRow,
  { file, isProof }: { file: string; isProof: boolean },
): string[] {
  if (anchor !== undefined) {
    return [
      "Proven: we published the row on or before the day on which that manifest hash was saved or attested,",
      "and it is unchanged since. Not proven: that it is true, when it was looked up, or that the carrier is safe.",
    ];
  }
  const { manifest, manifestSha256: last } = later ?? {};
  return [
    "The parts fit each other. This proves nothing until a manifest hash is compared:",
    `  manifest        ${manifestSha256}  (data of ${data_date})`,
    ...manifest === undefined ? [] : [`  later.manifest  ${last}  (data of ${manifest.data_date})`],
    "Give one that you saved with --manifest, or check GitHub's attestation of one:",
    `  jq -j ${isProof ? "" : ".proof"}.manifest ${file} > manifest.json`,
    "  gh attestation verify manifest.json --repo OWNER/REPOSITORY",
  ];
}

if (import.meta.main) Deno.exit(await main(Deno.args));
