/**
 * Publishes a snapshot: first every object, then a check from outside, then the pointer.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { boundWords, GateError, type GateFailure, quantity } from "../audit/gates.ts";
import { reportOf, type SnapshotReport } from "../audit/report.ts";
import { forEach } from "../concurrency.ts";
import { checkDataDate } from "../fmcsa/fields.ts";
import {
  listContents,
  type ListedObject,
  readObject,
  readSound,
  type SnapshotContents,
} from "../snapshot/contents.ts";
import {
  entryOf,
  type Keeps,
  parsePointer,
  type Pointer,
  type PointerEntry,
} from "../snapshot/manifest.ts";
import { POINTER_PATH } from "../snapshot/paths.ts";
import { SnapshotReader, SnapshotUnavailable } from "../snapshot/reader.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";
import { chainOf, chainText, heldKeeps } from "./held_chain.ts";
import { takeLease, type WriterOptions } from "./lease.ts";
import { movePointer, readPointerOf } from "./pointer.ts";
import { readBack } from "./read_back.ts";
import { md5Of, type Store, type StoredObject, storeSource } from "./store.ts";

export interface PublishOptions extends WriterOptions {
  /** The address that readers use; by default the store itself. */
  publicSource?: Source;
  /** Allows a store without a current snapshot: this is its first one. */
  first?: boolean;
  /** The reason for overriding failed gates or beginning a new chain; kept in the pointer. */
  force?: string;
  /** How long the store keeps old snapshots. @default {what the pointer says, or the store's own} */
  keeps?: Partial<Pick<Keeps, "days" | "month_ends">>;
  /** Objects uploaded in parallel. @default {16} */
  atOnce?: number;
  onProgress?: (done: number, total: number) => void;
}

/** What was sent, and how many objects were already there. */
interface Uploaded {
  objects: number;
  bytes: number;
  skipped: number;
}

export interface Published extends Uploaded {
  pointer: Pointer;
  /** False when the snapshot was already current. */
  isMoved: boolean;
  /** Whether the store now keeps old snapshots for a different time. */
  isKeepsNew: boolean;
  /** The gates that `force` overrode. */
  overridden: GateFailure[];
}

/** A snapshot does not follow the one that is current in the store. */
export class PredecessorError extends Error {
  override readonly name = "PredecessorError";
}

/**
 * Publishes the current snapshot of a built root, if it was compared with the store's current snapshot and
 * passed the gates. Until the last step, a single write of the pointer, readers see what they saw before,
 * however this ends. A second run resumes where the first stopped.
 *
 * @throws {LeaseError} When another publisher works on the store.
 * @throws {ConditionFailed} When the pointer has been moved since.
 * @throws {PredecessorError} When it follows a snapshot other than the store's current one.
 * @throws {GateError} When a gate fails, or a new chain begins, and no reason was given.
 * @throws {RangeError} When nothing is current there and `first` is not set, or the data date is in the
 * future.
 */
export async function publish(
  built: Source,
  store: Store,
  options: PublishOptions,
): Promise<Published> {
  const { clock, force, first = false, publicSource = storeSource(store) } = options;
  const entry = entryOf(parsePointer(await readObject(built, POINTER_PATH)));
  const contents = await listContents(built, entry);
  const origin = `the one of ${entry.snapshot}: build it again when the clock is right`;
  for (const day of [entry.data_date, contents.manifest.data_date]) {
    checkDataDate(day, { clock, origin });
  }
  await using lease = await takeLease(store, options);
  const { signal } = lease;
  const seen = await readPointerOf(store, signal);
  const current = seen.pointer;
  if (current === null && !first) {
    throw new RangeError(
      `Nothing is current in ${store.name}. If this is the first snapshot there, give --first. If there ` +
        "should be one, look for the missing current.json",
    );
  }
  const isMoved = current?.snapshot !== entry.snapshot;
  const overridden = isMoved ? await checkMove(entry, { built, store, current, force }) : [];
  const keeps = await keepsAfter(entry, { built, store, current, asked: options.keeps, signal });
  const uploaded = await upload(store, contents, { ...options, built, signal });
  await readBack(entry, { contents, built, published: publicSource, signal });
  const isKeepsNew = current?.keeps !== undefined && !isDeepStrictEqual(keeps, current.keeps);
  if (!isMoved && isDeepStrictEqual(keeps, current.keeps)) {
    return { ...uploaded, overridden, pointer: current, isMoved, isKeepsNew };
  }
  await lease.check();
  const reason = overridden.length > 0 ? force : undefined;
  const pointer = await movePointer(store, seen, { to: entry, keeps, clock, reason });
  return { ...uploaded, overridden, pointer, isMoved, isKeepsNew };
}

interface Move {
  built: Source;
  store: Store;
  current: Pointer | null;
}

/** Checks that a snapshot may become current; returns what `force` overrides. */
async function checkMove(
  entry: PointerEntry,
  { force, ...move }: Move & { force: string | undefined },
): Promise<GateFailure[]> {
  const { built, store, current } = move;
  const name = { id: entry.snapshot, manifestSha256: entry.manifest_sha256 };
  const refused: SnapshotReport = await new SnapshotReader(built).useOf(name, reportOf);
  const failures = [
    ...withdrawal(current, entry),
    ...await predecessor(entry, move),
    ...failedAtBuild(refused),
  ];
  if (failures.length > 0 && force === undefined) {
    const what = `Cannot publish ${entry.snapshot} to ${store.name}, nothing was changed`;
    throw new GateError(what, failures, refused);
  }
  return failures;
}

/** Checks that a snapshot follows the current one, and that both have the same chain before them. */
async function predecessor(
  entry: PointerEntry,
  { built, store, current }: Move,
): Promise<GateFailure[]> {
  if (current === null) return [];
  const past = (await chainOf(built, entry)).slice(0, -1);
  const chain = await chainOf(storeSource(store), current).catch((error) => {
    if (past.length > 0 || !(error instanceof SnapshotUnavailable)) throw error;
    return [];
  });
  if (past.length > 0 && chainText(past) === chainText(chain)) return [];
  const what = `Cannot publish ${entry.snapshot} to ${store.name}, nothing was changed`;
  if (chain.some(({ id }) => id === entry.snapshot)) {
    throw new PredecessorError(
      `${what}: ${current.snapshot}, which is current there, came after it. To go back use ` +
        `\`snapshot rollback ${store.name} ${entry.snapshot}\``,
    );
  }
  const previous = past.at(-1);
  if (previous === undefined) {
    const message =
      `It was built without a previous snapshot, so that a new chain would begin and gc ` +
      `would remove the history before it. Build it again with --previous ${store.name}, where ` +
      `${current.snapshot} is current`;
    return [{ gate: "predecessor", message }];
  }
  throw new PredecessorError(
    `${what}: it follows ${previous.id}, and ${current.snapshot} is current there` +
      `${
        previous.id === current.snapshot ? " with another chain before it" : ""
      }. Build it again ` +
      `with --previous ${store.name}`,
  );
}

/** What passed the build only with --force needs it here too. */
function failedAtBuild({ report }: SnapshotReport): GateFailure[] {
  return report.gates.filter(({ passed }) => !passed).map((gate) => ({
    gate: gate.name,
    message: `It was built with --force "${report.forced}" (${gate.name}: ` +
      `${quantity(gate.measured, gate.unit)}, allowed ${boundWords(gate.bound, gate.unit)})`,
  }));
}

/** How long a store keeps old snapshots once this one is current there. */
async function keepsAfter(
  entry: PointerEntry,
  { built, store, current, asked, signal }: Move & {
    asked: PublishOptions["keeps"];
    signal: AbortSignal;
  },
): Promise<Keeps> {
  const chain = await chainOf(built, entry);
  const keeps = { ...(current?.keeps ?? store.keeps), ...asked };
  // What is kept and unchanged must be there: only gc removes objects.
  if (isDeepStrictEqual(keeps, current?.keeps) && chain.length > 1) return keeps;
  return await heldKeeps(store, { chain, keeps, signal });
}

function withdrawal(current: Pointer | null, entry: PointerEntry): GateFailure[] {
  if (current?.withdrawn !== entry.snapshot) return [];
  const message = `it was withdrawn on ${current.published_at} ` +
    `(${current.reason ?? "no reason given"}). Build a better one`;
  return [{ gate: "withdrawn", message }];
}

/**
 * Uploads what is not there yet. The manifest is always written, and last: where there is a manifest, the
 * snapshot is whole, and the manifest's age shows when it was last published.
 *
 * @throws {Error} When a local object is missing or damaged, or cannot be written to the store.
 */
async function upload(
  store: Store,
  { objects }: SnapshotContents,
  { built, atOnce = 16, signal, onProgress = () => {} }:
    & Pick<PublishOptions, "atOnce" | "onProgress">
    & { built: Source; signal: AbortSignal },
): Promise<Uploaded> {
  const manifest = objects.at(-1)!;
  const root = manifest.path.slice(0, manifest.path.lastIndexOf("/") + 1);
  const there = new Map<string, StoredObject>();
  for await (const object of store.list(root, signal)) there.set(object.path, object);
  there.delete(manifest.path);
  const result: Uploaded = { objects: 0, bytes: 0, skipped: 0 };
  onProgress(0, objects.length);
  async function send(object: ListedObject, stop: AbortSignal): Promise<void> {
    const { path } = object;
    const bytes = await readBuilt(built, object);
    const found = there.get(path);
    if (found?.bytes === bytes.length && await found.md5() === md5Of(bytes)) result.skipped++;
    else {
      await store.put(path, bytes, { signal: stop });
      result.objects++;
      result.bytes += bytes.length;
    }
    onProgress(result.objects + result.skipped, objects.length);
  }
  await forEach(objects.slice(0, -1), { atOnce, signal }, send);
  await store.settle(root);
  await send(manifest, signal);
  await store.settle(root);
  return result;
}

async function readBuilt(built: Source, object: ListedObject): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readSound(built, object);
  } catch (cause) {
    const what = `Cannot publish from ${built.name}: ${messageOf(cause)}`;
    throw new Error(`${what}. Build the snapshot again there`, { cause });
  }
}
