/**
 * Publishes a snapshot: every object first, then a check from outside, then the pointer.
 *
 * @module
 */

import { baselineOf, checkBaseline, comparisonGates } from "../compile/comparison.ts";
import {
  boundWords,
  failuresOf,
  GateError,
  type GateFailure,
  type Paths,
  quantity,
} from "../compile/gates.ts";
import { reportOf, type SnapshotReport } from "../compile/report.ts";
import { forEach } from "../concurrency.ts";
import { checkDataDate } from "../fmcsa/fields.ts";
import {
  type Contents,
  listContents,
  type ListedObject,
  readObject,
  readSound,
} from "../snapshot/contents.ts";
import {
  entryOf,
  parsePointer,
  type Pointer,
  POINTER_PATH,
  type PointerEntry,
} from "../snapshot/manifest.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import type { Source } from "../snapshot/source.ts";
import { messageOf } from "../text.ts";
import { takeLease, type WriterOptions } from "./lease.ts";
import { movePointer, readPointerOf } from "./pointer.ts";
import { md5Of, type Store, type StoredObject, storeSource } from "./store.ts";
import { readBack } from "./verify.ts";

export interface PublishOptions extends WriterOptions {
  /** The address that readers use; the store itself when absent. */
  publicSource?: Source;
  /** There may be nothing to compare with: the store is to have its first snapshot. */
  first?: boolean;
  /** Why broken bounds are overridden; kept in the pointer. */
  force?: string;
  /** Objects uploaded at a time. @default {16} */
  atOnce?: number;
  onProgress?: (done: number, total: number) => void;
}

/** What was sent, and how many objects were there already. */
interface Uploaded {
  objects: number;
  bytes: number;
  skipped: number;
}

export interface Published extends Uploaded {
  pointer: Pointer;
  /** False when the snapshot was current already. */
  isMoved: boolean;
  /** The bounds that `force` overrode. */
  overridden: GateFailure[];
}

/**
 * Publishes the current snapshot of a built root, if it is within bounds of the snapshot that is current in
 * the store. Until the last step, one write of the pointer, readers see what they saw before, however this
 * ends; run again it resumes where it stopped.
 *
 * @throws {LeaseError} When another publisher works on the store.
 * @throws {ConditionFailed} When the pointer was moved since.
 * @throws {GateError} When a bound is broken and no reason to override it was given.
 * @throws {RangeError} When nothing is current there, and this is not said to be the first, or the data
 *   is of a day to come.
 */
export async function publish(
  built: Source,
  store: Store,
  options: PublishOptions,
): Promise<Published> {
  const { clock, force, publicSource = storeSource(store) } = options;
  const entry = entryOf(parsePointer(await readObject(built, POINTER_PATH)));
  const contents = await listContents(built, entry);
  const origin = `the one of ${entry.snapshot}: build it again when the clock is right`;
  for (const day of [entry.data_date, contents.manifest.data_date]) {
    checkDataDate(day, { clock, origin });
  }
  await using lease = await takeLease(store, options);
  const { signal } = lease;
  const seen = await readPointerOf(store, signal);
  const isMoved = seen.pointer?.snapshot !== entry.snapshot;
  const overridden = isMoved
    ? await checkBounds(entry, { ...options, built, store, current: seen.pointer })
    : [];
  const uploaded = await upload(store, contents, { ...options, built, signal });
  await readBack(entry, { contents, built, published: publicSource, signal });
  if (!isMoved) return { ...uploaded, overridden, pointer: seen.pointer!, isMoved };
  await lease.check();
  const reason = overridden.length > 0 ? force : undefined;
  const pointer = await movePointer(store, seen, { to: entry, clock, reason });
  return { ...uploaded, overridden, pointer, isMoved };
}

/** Compares a snapshot with the one that is current in a store; returns the bounds that `force` overrides. */
async function checkBounds(
  entry: PointerEntry,
  { built, store, current, first, force }: Pick<PublishOptions, "first" | "force"> & {
    built: Source;
    store: Store;
    current: Pointer | null;
  },
): Promise<GateFailure[]> {
  const baseline = current && await baselineOf(storeSource(store), current);
  checkBaseline(baseline, { first, force, where: store.name });
  const name = { id: entry.snapshot, manifestSha256: entry.manifest_sha256 };
  return await new SnapshotReader(built).useOf(name, async (snapshot) => {
    const refused: SnapshotReport = await reportOf(snapshot);
    const { report } = refused;
    const gates = await comparisonGates({ report, snapshot, paths: namesOf(entry) }, baseline);
    const compared = new Set(gates.map((gate) => gate.name));
    const failures = [
      ...withdrawal(current, entry),
      ...failuresOf(gates),
      // What passed at the build only by --force needs it here too, unless it was measured again.
      ...report.gates.filter(({ name, passed }) => !passed && !compared.has(name)).map((gate) => ({
        gate: gate.name,
        message: `It was built with --force "${report.forced}" (${gate.name}: ` +
          `${quantity(gate.measured, gate.unit)}, allowed ${boundWords(gate.bound, gate.unit)})`,
      })),
    ];
    if (failures.length > 0 && force === undefined) {
      const what = `Cannot publish ${entry.snapshot} to ${store.name}, nothing was changed`;
      throw new GateError(what, failures, refused);
    }
    return failures;
  });
}

function withdrawal(current: Pointer | null, entry: PointerEntry): GateFailure[] {
  if (current?.withdrawn !== entry.snapshot) return [];
  const message = `it was withdrawn on ${current.published_at} ` +
    `(${current.reason ?? "no reason given"}). Build a better one`;
  return [{ gate: "withdrawn", message }];
}

function namesOf({ sources }: PointerEntry): Paths {
  const nameOf = (role: keyof Paths): string =>
    sources.find((file) => file.role === role)?.name ?? `the ${role} file`;
  return { census: nameOf("census"), inspections: nameOf("inspections") };
}

/**
 * Uploads what is not there yet, the manifest last and always: where a manifest is, the whole snapshot is,
 * and its age shows when the snapshot was last published.
 *
 * @throws {Error} When an object here is missing or damaged, or cannot be written there.
 */
async function upload(
  store: Store,
  { objects }: Contents,
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
