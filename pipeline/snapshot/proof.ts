/**
 * Proofs that a snapshot has a carrier's row: made from a snapshot, checked without one. FORMAT.md, "Proofs",
 * describes the file. Web APIs only.
 *
 * @module
 */

import { sha256Hex } from "../bytes.ts";
import { parsePast } from "./chain.ts";
import { PAST_PATH, shardPath } from "./paths.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import type { Snapshot } from "./pinned_snapshot.ts";
import type { CarrierRecord, LeftCarrier } from "./record/record.ts";
import { carrierIn, carrierShard, decodeShardText } from "./record/shards.ts";
import { sha256OfText, sumsGroups, type SumsTree, sumsTree } from "./sums_tree.ts";

const PROOF_FORMAT = 1;

/** What a proof can show, and what it cannot. */
const CLAIM =
  "Our snapshot has this row. Compared with a manifest hash that was saved or attested, this proves that we " +
  "published it on or before that day, unchanged since. It does not prove that it is true, or that a carrier is safe.";

/** A manifest with its hash. */
interface HashedManifest {
  manifest_sha256: string;
  /** The text of `manifest.json`. */
  manifest: string;
}

/** The members of the file. */
export interface RowProof extends HashedManifest {
  proof_format: number;
  claim: string;
  dot: number;
  /** The line of the shard. */
  row: string;
  /** `carriers/<n>.json.gz` in base64. */
  shard: string;
  /** Lines of SHA256SUMS with that of the shard, then the groups of hashes up to the root. */
  sums: readonly string[];
  /** A later manifest, and its `past.json`, which lists the first one. */
  later?: HashedManifest & { past: string };
}

/** A part of a proof contradicts the parts above it. */
export class RefusedProof extends Error {
  override readonly name = "RefusedProof";
  /** The member of the file. */
  readonly part: string;
  readonly why: string;

  constructor(part: string, why: string) {
    super(`Refused: "${part}" ${why}`);
    this.part = part;
    this.why = why;
  }
}

/** What a valid proof shows. */
export interface ProvenRow {
  carrier: CarrierRecord | LeftCarrier;
  manifest: Manifest;
  manifestSha256: string;
  /** The later manifest, with which a saved hash may be compared too. */
  later?: { manifest: Manifest; manifestSha256: string };
  /** The member whose manifest has the saved hash; absent without a saved hash. */
  anchor?: "manifest" | "later.manifest";
}

/** No proof can be made of a snapshot's rows. */
export class CannotProve extends Error {
  override readonly name = "CannotProve";
}

/** Reads the hash tree of a snapshot: 7 MB nationally. */
export async function readSumsTree(snapshot: Snapshot): Promise<SumsTree> {
  return await sumsTree(textOf(await snapshot.file("SHA256SUMS")));
}

/**
 * Makes the proof of a carrier's row, as the text of a file.
 *
 * @param options.later Another snapshot of the chain, whose manifest names this one; may be this one.
 * @param options.readTree Reads the snapshot's hash tree.
 * @returns Null when the snapshot has no row of that number.
 * @throws {CannotProve} When a snapshot has no hash tree, or the later one does not follow it.
 */
export async function makeProof(
  snapshot: Snapshot,
  { dot, later, readTree = readSumsTree }: {
    dot: number;
    later: Snapshot;
    readTree?: typeof readSumsTree;
  },
): Promise<string | null> {
  const { id, manifest, manifestSha256 } = snapshot;
  if (manifest.files.SHA256SUMS.root === undefined) {
    throw new CannotProve(
      `Cannot prove a row of ${id}: it was built before snapshots had a hash tree`,
    );
  }
  const chain = await later.chain();
  if (!chain.some(({ manifest_sha256 }) => manifest_sha256 === manifestSha256)) {
    throw new CannotProve(
      `Cannot chain ${id} to ${later.id}: it is no later snapshot of its chain`,
    );
  }
  const path = shardPath("carriers", Math.floor(dot / manifest.families.carriers.width));
  if (await snapshot.find(dot) === null) return null;
  const shard = await snapshot.read(path);
  const sums = sumsGroups(await readTree(snapshot), `${await sha256Hex(shard)}  ${path}`);
  if (sums === undefined) throw new Error(`Cannot prove a row of ${id}: "${path}" is damaged`);
  const proof: RowProof = {
    proof_format: PROOF_FORMAT,
    claim: CLAIM,
    dot,
    row: rowIn((await decodeShardText(shard)).value, dot)!,
    shard: shard.toBase64(),
    sums,
    manifest_sha256: manifestSha256,
    manifest: textOf(await snapshot.read("manifest.json")),
    ...later.id !== id && {
      later: {
        past: textOf(await later.file(PAST_PATH)),
        manifest_sha256: later.manifestSha256,
        manifest: textOf(await later.read("manifest.json")),
      },
    },
  };
  const made = proofText(proof);
  await checkProof(made, manifestSha256);
  return made;
}

/**
 * Checks the text of a proof, from the manifest down to the row.
 *
 * @param saved SHA-256 of a manifest that somebody saved, hex. Without it, the check only shows that the
 * parts agree.
 * @throws {RefusedProof} Names the first part that does not fit.
 */
export async function checkProof(text: string, saved?: string): Promise<ProvenRow> {
  const proof = parseProof(text);
  const { dot, row, manifest_sha256: manifestSha256 } = proof;
  const manifest = await soundManifest(proof, "manifest");
  const { later, anchor } = await anchorOf(proof, saved);
  await checkGroups(proof.sums, manifest.files.SHA256SUMS.root);
  const shard = await part("shard", () => Uint8Array.fromBase64(proof.shard));
  const hash = await sha256Hex(shard);
  const line = proof.sums[0]!.split("\n").find((one) => one.startsWith(`${hash}  carriers/`));
  if (line === undefined || shard.toBase64() !== proof.shard) {
    throw new RefusedProof("shard", "has a hash that SHA256SUMS does not list");
  }
  const { value: rows } = await part("shard", () => decodeShardText(shard));
  if (!rows.split(/,?\n/).includes(row)) {
    throw new RefusedProof("row", "is not a line of the shard");
  }
  if (rowIn(rows, dot) !== row) throw new RefusedProof("dot", "is not the number of the row");
  const { width } = manifest.families.carriers;
  const range = { dot, shard: Math.floor(dot / width), width };
  const carrier = (await part("row", () => carrierIn(carrierShard(rows), range)))!;
  return { carrier, manifest, manifestSha256, ...later && { later }, ...anchor && { anchor } };
}

function parseProof(text: string): RowProof {
  let proof: RowProof;
  try {
    proof = JSON.parse(text);
  } catch {
    throw new RefusedProof("file", "is not JSON");
  }
  const isHashed = (one: HashedManifest): boolean => areTexts([one.manifest_sha256, one.manifest]);
  const { proof_format, claim, dot, row, shard, sums, later } = Object(proof) as RowProof;
  if (proof_format !== PROOF_FORMAT) throw new RefusedProof("proof_format", "is not known here");
  if (claim !== CLAIM) throw new RefusedProof("claim", "is not what such a file proves");
  if (!Number.isSafeInteger(dot)) throw new RefusedProof("dot", "is not a number");
  const isWhole = areTexts([row, shard]) && Array.isArray(sums) && sums.length > 0 &&
    areTexts(sums) && isHashed(proof) &&
    (later === undefined || isHashed(Object(later)) && areTexts([later.past]));
  if (!isWhole) throw new RefusedProof("file", "lacks a part");
  // There is exactly one text for a proof: no unknown member, and none twice.
  if (proofText(canonical(proof)) !== text) {
    throw new RefusedProof("file", "is not written as a proof is");
  }
  return proof;
}

/** The text of a proof's file. */
export function proofText(proof: object): string {
  return `${JSON.stringify(proof, null, 2)}\n`;
}

/** The members that a proof has, in their order. */
function canonical(proof: RowProof): RowProof {
  const { proof_format, claim, dot, row, shard, sums, manifest_sha256, manifest, later } = proof;
  return {
    ...{ proof_format, claim, dot, row, shard, sums, manifest_sha256, manifest },
    ...later && {
      later: {
        past: later.past,
        manifest_sha256: later.manifest_sha256,
        manifest: later.manifest,
      },
    },
  };
}

/** Finds the manifest that has the saved hash, and checks the chain between the two. */
async function anchorOf(
  proof: RowProof,
  saved: string | undefined,
): Promise<Pick<ProvenRow, "later" | "anchor">> {
  const { later, manifest_sha256 } = proof;
  const isOwn = saved === manifest_sha256;
  if (saved !== undefined && !isOwn && saved !== later?.manifest_sha256) {
    throw new RefusedProof("manifest_sha256", "is not the saved hash, and no later one is");
  }
  const own = isOwn && { anchor: "manifest" as const };
  if (later === undefined) return { ...own };
  const manifest = await soundManifest(later, "later.manifest");
  if (await sha256OfText(later.past) !== manifest.files[PAST_PATH]?.sha256) {
    throw new RefusedProof("later.past", "has another hash than its manifest lists");
  }
  const past = await part("later.past", () => parsePast(new TextEncoder().encode(later.past)));
  if (!past.some((one) => one.manifest_sha256 === manifest_sha256)) {
    throw new RefusedProof("later.past", "does not list the manifest");
  }
  const found = { later: { manifest, manifestSha256: later.manifest_sha256 } };
  return saved === undefined ? found : { ...found, anchor: "later.manifest", ...own };
}

async function soundManifest(
  { manifest, manifest_sha256 }: HashedManifest,
  name: string,
): Promise<Manifest> {
  if (await sha256OfText(manifest) !== manifest_sha256) {
    throw new RefusedProof(name, "has another hash than the one beside it");
  }
  return await part(name, () => parseManifest(new TextEncoder().encode(manifest)));
}

/** Checks groups from the last one, whose hash is the root, to the lines of SHA256SUMS. */
async function checkGroups(groups: readonly string[], root: string | undefined): Promise<void> {
  for (let i = groups.length - 1; i >= 0; i--) {
    const hash = await sha256OfText(groups[i]!);
    const isListed = i === groups.length - 1
      ? hash === root
      : groups[i + 1]!.split("\n").includes(hash);
    if (!isListed) throw new RefusedProof(`sums.${i}`, "has another hash than is listed");
  }
}

async function part<T>(name: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw new RefusedProof(name, "cannot be read");
  }
}

/** The line of a row, without its final comma. */
function rowIn(text: string, dot: number): string | undefined {
  return text.split(/,?\n/).find((line) => line.startsWith(`[${dot},`));
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

/** Text that encodes to the same bytes. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
