/**
 * The folder a build works in, beside what readers see.
 *
 * @module
 */

/** A build's own folder. Dispose of it to remove it and let the next build in. */
export interface Staging extends Disposable {
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
  remove(dir);
  for (const name of ["census", "inspections", "search", "snapshot/carriers", "snapshot/dockets"]) {
    await Deno.mkdir(`${dir}/${name}`, { recursive: true });
  }
  return {
    dir,
    [Symbol.dispose](): void {
      remove(dir);
      lock.close();
    },
  };
}

function remove(dir: string): void {
  try {
    Deno.removeSync(dir, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
