/**
 * The folder a build works in, beside what readers see.
 *
 * @module
 */

import { sleep } from "../clock.ts";
import { snapshotPath } from "../snapshot/manifest.ts";

/** The id under which what is being built can be read in the build's own folder. */
export const STAGED = "staged";

const REMOVE_TRIES = 100;

const REMOVE_PAUSE_MS = 20;

/** A build's own folder. Dispose of it to remove it and let the next build in. */
export interface Staging extends AsyncDisposable {
  dir: string;
}

/**
 * Locks `<root>/.build.lock` and makes an empty `<root>/.build`. The lock is the operating system's: it
 * goes with the process, however that ends, and the leftovers of a killed build are cleared here.
 *
 * @throws {Error} When another build works there.
 */
export async function prepareStaging(root: string): Promise<Staging> {
  const dir = `${root}/.build`;
  await Deno.mkdir(root, { recursive: true });
  const lock = await Deno.open(`${dir}.lock`, { write: true, create: true });
  if (!await lock.tryLock(true)) {
    lock.close();
    throw new Error(`Cannot build in ${root}: another build is at work there. Wait for it to end`);
  }
  await remove(dir);
  const staged = snapshotPath(STAGED);
  for (
    const name of ["census", "inspections", "search", `${staged}/carriers`, `${staged}/dockets`]
  ) {
    await Deno.mkdir(`${dir}/${name}`, { recursive: true });
  }
  return {
    dir,
    async [Symbol.asyncDispose](): Promise<void> {
      await remove(dir);
      lock.close();
    },
  };
}

/** Removes a folder, also while workers that were told to end write their last file into it. */
async function remove(dir: string): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await Deno.remove(dir, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      const filling = (error as { code?: string }).code === "ENOTEMPTY";
      if (!filling || tries === REMOVE_TRIES) throw error;
      await sleep(REMOVE_PAUSE_MS);
    }
  }
}
