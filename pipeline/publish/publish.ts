/**
 * Publishing: every object first, then a look at it from outside, then the pointer.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { readObject } from "../snapshot/contents.ts";
import { baselineOf, checkBaseline, comparisonGates } from "../compile/baseline.ts";
import {
  boundWords,
  failuresOf,
  GateError,
  type GateFailure,
  type Paths,
  quantity,
} from "../compile/gates.ts";
import type { SnapshotReport } from "../report/figures.ts";
import { reportOf } from "../report/read.ts";
import {
  entryOf,
  parsePointer,
  type Pointer,
  POINTER_PATH,
  type PointerEntry,
} from "../snapshot/manifest.ts";
import { SnapshotReader } from "../snapshot/reader.ts";
import type { Source } from "../snapshot/source.ts";
import { storeSource, takeInventory } from "./inventory.ts";
import { Lease } from "./lease.ts";
import { movePointer, readPointerOf } from "./pointer.ts";
import { readBack } from "./read_back.ts";
import type { Store } from "./store.ts";
import { upload, type Uploaded } from "./upload.ts";

/** How to publish. */
export interface PublishOptions {
  clock: Clock;
  /** Who publishes, for the lease's message to others. */
  owner: string;
  /** The address that readers use; the store itself when absent. */
  publicSource?: Source;
  /** There may be nothing to compare with: the store is to have its first snapshot. */
  first?: boolean;
  /** Why broken bounds are overridden; kept in the pointer. */
  force?: string;
  /** Objects uploaded at a time. @default {16} */
  atOnce?: number;
  /** Milliseconds; see `LeaseOptions`. */
  leaseTerm?: number;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** What a publish did. */
export interface Published extends Uploaded {
  pointer: Pointer;
  /** False when the snapshot was current already. */
  isMoved: boolean;
  /** The bounds that `force` overrode. */
  overridden: GateFailure[];
}

/**
 * Publishes the current snapshot of a built root, if it keeps the bounds against the snapshot that is
 * current in the store. Until the last step, one write of the pointer, readers see what they saw
 * before, however this ends; run again it resumes where it stopped.
 *
 * @throws {LeaseHeld} When another publisher works on the store.
 * @throws {ConditionFailed} When somebody else moved the pointer meanwhile.
 * @throws {GateError} When a bound is broken and no reason to override it was given.
 * @throws {RangeError} When nothing is current there, and this is not said to be the first.
 */
export async function publish(
  built: Source,
  store: Store,
  options: PublishOptions,
): Promise<Published> {
  const { clock, owner, force, leaseTerm, onProgress = () => {} } = options;
  const entry = entryOf(parsePointer(await readObject(built, POINTER_PATH)));
  const inventory = await takeInventory(built, entry);
  const signal = options.signal ?? new AbortController().signal;
  await using lease = await Lease.take(store, {
    clock,
    owner,
    signal,
    ...(leaseTerm === undefined ? {} : { term: leaseTerm }),
  });
  const stop = AbortSignal.any([signal, lease.lost]);
  const seen = await readPointerOf(store, stop);
  const isCurrent = seen.pointer?.snapshot === entry.snapshot;
  const overridden: GateFailure[] = [];
  if (!isCurrent) {
    const current = seen.pointer;
    const { first } = options;
    const { failures, refused } = await brokenBounds(entry, {
      built,
      store,
      current,
      clock,
      first,
      force,
    });
    if (failures.length > 0 && force === undefined) {
      const what = `Cannot publish ${entry.snapshot} to ${store.name}, nothing was changed`;
      throw new GateError(what, failures, refused);
    }
    overridden.push(...failures);
  }
  const uploaded = await upload(store, { source: built, inventory }, {
    atOnce: options.atOnce ?? 16,
    signal: stop,
    onProgress,
  });
  await readBack(inventory, {
    built,
    published: options.publicSource ?? storeSource(store),
    clock,
    signal: stop,
  });
  if (isCurrent) return { ...uploaded, overridden, pointer: seen.pointer!, isMoved: false };
  const to = nextPointer(seen.pointer, entry, {
    clock,
    ...(overridden.length === 0 || force === undefined ? {} : { reason: force }),
  });
  await lease.check();
  stop.throwIfAborted();
  await movePointer(store, { seen, to });
  return { ...uploaded, overridden, pointer: to, isMoved: true };
}

/** The pointer that follows `current` when `entry` becomes current. */
export function nextPointer(
  current: Pointer | null,
  entry: Pointer["previous"] & object,
  { clock, ...more }: { clock: Clock } & Pick<Partial<Pointer>, "reason" | "withdrawn">,
): Pointer {
  return {
    format: 1,
    ...entryOf(entry),
    published_at: new Date(clock.now()).toISOString(),
    sequence: (current?.sequence ?? 0) + 1,
    ...more,
    ...(current === null ? {} : { previous: entryOf(current) }),
  };
}

/** Why a snapshot may not become current, with its report. */
async function brokenBounds(
  entry: PointerEntry,
  { built, store, current, clock, first, force }: {
    built: Source;
    store: Store;
    current: Pointer | null;
    clock: Clock;
    first: boolean | undefined;
    force: string | undefined;
  },
): Promise<{ failures: GateFailure[]; refused: SnapshotReport }> {
  const baseline = current && await baselineOf(storeSource(store), current);
  checkBaseline(baseline, { first, force, where: store.name });
  const name = { id: entry.snapshot, manifestSha256: entry.manifest_sha256 };
  return await new SnapshotReader(built, { clock }).useOf(name, async (snapshot) => {
    const refused = await reportOf(snapshot);
    const { report } = refused;
    const gates = await comparisonGates({ report, snapshot, paths: namesOf(entry) }, baseline);
    const compared = new Set(gates.map((gate) => gate.name));
    const failures = [
      ...withdrawal(current, entry),
      ...failuresOf(gates),
      // What only --force let pass at the build needs it here too, unless it was measured anew.
      ...report.gates.filter(({ name, passed }) => !passed && !compared.has(name)).map((gate) => ({
        gate: gate.name,
        message: `It was built with --force "${report.forced}" (${gate.name}: ` +
          `${quantity(gate.measured, gate.unit)}, allowed ${boundWords(gate.bound, gate.unit)})`,
      })),
    ];
    return { failures, refused };
  });
}

function withdrawal(current: Pointer | null, entry: PointerEntry): GateFailure[] {
  if (current?.withdrawn !== entry.snapshot) return [];
  const message = `it was withdrawn on ${current.published_at} ` +
    `(${current.reason ?? "no reason given"}). Build a better one`;
  return [{ gate: "withdrawn", message }];
}

/** The names of the files that a snapshot was built from. */
function namesOf({ sources }: PointerEntry): Paths {
  const nameOf = (role: keyof Paths): string =>
    sources.find((file) => file.role === role)?.name ?? `the ${role} file`;
  return { census: nameOf("census"), inspections: nameOf("inspections") };
}
