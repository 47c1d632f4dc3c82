/**
 * The vetting record as one JSON file that can be checked offline. It has the proof of the carrier's row,
 * from which the checker computes everything else again. FORMAT.md, "Proofs", describes the proof.
 *
 * @module
 */

import { shardPath, snapshotId, snapshotPath } from "../../pipeline/snapshot/paths.ts";
import {
  checkProof,
  proofText,
  type ProvenRow,
  RefusedProof,
  type RowProof,
} from "../../pipeline/snapshot/proof.ts";
import { SnapshotReader } from "../../pipeline/snapshot/reader.ts";
import { sha256OfText } from "../../pipeline/snapshot/sums_tree.ts";
import { newYorkToday } from "../rules/new_york.ts";
import type { Carrier } from "../rules/schemas.ts";
import { type CarrierHistory, carrierWithHistory } from "./history.ts";

/** When a record was made: as of a past day, or at an instant, ISO 8601 in UTC without a fraction. */
type RecordTime = { as_of: string } | { looked_up_at: string };

/** What makes a record provable: the proof, and the text of `past.json`, which dates the changes. */
interface Provable {
  past?: string;
  proof: RowProof;
}

interface RecordFacts {
  time: RecordTime;
  carrier: Carrier;
  history: CarrierHistory;
  manifestSha256: string;
  /** The revision of the code. Another revision may compute a different record from the same row. */
  revision: number;
  proven: Provable | { proof: null; not_proven: string };
}

/** The name to file a record under, without an extension. */
export function recordFileName(dot: string, time: RecordTime): string {
  const day = "as_of" in time ? `as-of-${time.as_of}` : dayOf(time);
  return `vetting-record-usdot-${dot}-${day}`;
}

/** The day that a record treats as today. */
function dayOf(time: RecordTime): string {
  return "as_of" in time ? time.as_of : newYorkToday(Date.parse(time.looked_up_at));
}

/** The text of a record's file. */
export async function recordFileText(facts: RecordFacts): Promise<string> {
  return await sealed(membersOf(facts));
}

function membersOf(facts: RecordFacts) {
  const { time, carrier, history, manifestSha256, revision, proven } = facts;
  const { since, changes, gaps } = history;
  return {
    file: recordFileName(carrier.dot, time),
    ...time,
    page_url: carrier.page_url,
    snapshot: { id: carrier.snapshot.id, manifest_sha256: manifestSha256 },
    revision,
    carrier,
    history: { since, changes, ...gaps !== undefined && { gaps } },
    ...proven,
  };
}

/**
 * The text, ending with a hash of the members before it. The hash detects damage that no other check would,
 * but proves nothing, because anybody can compute it.
 */
async function sealed(members: object): Promise<string> {
  const sha256 = await sha256OfText(JSON.stringify(members, null, 2));
  return `${JSON.stringify({ ...members, sha256 }, null, 2)}\n`;
}

/** A record that passed all checks. */
export interface CheckedRecord extends ProvenRow {
  record: { carrier: Carrier; /** The day that was taken for today. */ day: string };
}

/**
 * Checks the text of a record: the proof, then whether the rest is what this code computes from the proven
 * row.
 *
 * @param options.saved SHA-256 of a manifest that somebody saved, hex.
 * @param options.revision Of this code.
 * @throws {RefusedProof} Names the first part that does not fit.
 */
export async function checkRecordFile(
  text: string,
  { saved, revision }: { saved?: string | undefined; revision: number },
): Promise<CheckedRecord> {
  const given = parsedRecord(text);
  const { past, proof, page_url } = given;
  if (proof === null) throw new RefusedProof("proof", `is missing: ${given.not_proven}`);
  const proven = await checkProof(proofText(Object(proof)), saved).catch((error) => {
    throw error instanceof RefusedProof
      ? new RefusedProof(`proof.${error.part}`, error.why)
      : error;
  });
  if (given.revision !== revision) {
    throw new RefusedProof(
      "revision",
      `is not ${revision}, so this code may compute another record: use the code of that revision, or check ` +
        "the row alone: jq .proof FILE > proof.json",
    );
  }
  const { manifest, manifestSha256, carrier: { dot } } = proven;
  if (
    (past === undefined ? undefined : await sha256OfText(String(past))) !==
      manifest.files["past.json"]?.sha256
  ) {
    throw new RefusedProof("past", "has another hash than the manifest lists");
  }
  const time = timeOf(given);
  const [, baseUrl] = /^(.*)\/carriers\/\d+$/.exec(String(page_url)) ?? [];
  if (baseUrl === undefined || page_url !== Object(given.carrier).page_url) {
    throw new RefusedProof("page_url", "is not the address of the carrier's page");
  }
  const provable = { ...past !== undefined && { past }, proof };
  const day = dayOf(time);
  const asOf = "as_of" in time ? time.as_of : undefined;
  const { carrier, history } = await readerOf(provable, proven).useOf(
    { id: snapshotId(manifest, manifestSha256), manifestSha256 },
    (snapshot) => carrierWithHistory.run({ dot }, { snapshot, today: day, asOf, baseUrl }),
  );
  const facts = { time, carrier, history, manifestSha256, revision, proven: provable };
  await compare(text, { given, made: membersOf(facts) });
  return { ...proven, record: { carrier, day } };
}

type GivenRecord = Partial<Record<string, unknown>> & Provable;

function parsedRecord(text: string): GivenRecord {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new RefusedProof("record", "is not JSON");
  }
}

function timeOf({ as_of, looked_up_at }: GivenRecord): RecordTime {
  if (typeof as_of === "string" && isInstant(`${as_of}T00:00:00Z`)) return { as_of };
  if (as_of !== undefined) throw new RefusedProof("as_of", "is not a day");
  if (typeof looked_up_at === "string" && isInstant(looked_up_at)) return { looked_up_at };
  throw new RefusedProof("looked_up_at", "is not an instant");
}

function isInstant(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().replace(/\.000Z$/, "Z") === text;
}

/** Reads the objects of a snapshot that are part of a record. */
function readerOf({ past, proof }: Provable, { manifest, manifestSha256 }: ProvenRow) {
  const root = snapshotPath(snapshotId(manifest, manifestSha256));
  const shard = shardPath("carriers", Math.floor(proof.dot / manifest.families.carriers.width));
  const bytes = (text: string) => new TextEncoder().encode(text);
  const objects = new Map([
    [`${root}/manifest.json`, bytes(proof.manifest)],
    [`${root}/${shard}`, Uint8Array.fromBase64(proof.shard)],
    ...past === undefined ? [] : [[`${root}/past.json`, bytes(past)] as const],
  ]);
  return new SnapshotReader({
    name: "the record",
    get: (path) => Promise.resolve(objects.get(path) ?? null),
  });
}

/** Compares a record with the one that this code computes, member by member and then as text. */
async function compare(
  text: string,
  { given, made }: { given: GivenRecord; made: Record<string, unknown> },
): Promise<void> {
  for (const [name, value] of Object.entries(made)) {
    if (JSON.stringify(given[name]) !== JSON.stringify(value)) {
      throw new RefusedProof(name, "is not what the proven row makes it");
    }
  }
  if (Object.keys(given).join() !== [...Object.keys(made), "sha256"].join()) {
    throw new RefusedProof("record", "has other members, or in another order");
  }
  const sound = await sealed(made);
  if (given.sha256 !== JSON.parse(sound).sha256) {
    throw new RefusedProof(
      "sha256",
      "is not of this text: it, or the time of the lookup, was changed",
    );
  }
  if (sound !== text) throw new RefusedProof("record", "is not written as a record is");
}
