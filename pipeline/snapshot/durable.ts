/**
 * What makes a write outlive a loss of power: a file is synced before a rename shows it, and the folder
 * of the rename after it.
 *
 * @module
 */

const AT_ONCE = 16;

/** Waits until the content of a file is on the disk. */
export async function syncFile(path: string): Promise<void> {
  using file = await Deno.open(path, { read: true, write: true });
  await file.sync();
}

/** Waits until the names in a folder are on the disk. Windows has no such call and does it by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  using folder = await Deno.open(path, { read: true });
  await folder.sync();
}

/** Waits until the names in a folder and in all folders below it are on the disk. */
export async function syncFolders(path: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) await syncFolders(`${path}/${name}`);
  }
  await syncFolder(path);
}

/** Waits until all of a folder is on the disk: every file, then every name. */
export async function syncTree(path: string): Promise<void> {
  const files: string[] = [];
  await listFiles(path, files);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < files.length) await syncFile(files[next++]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await syncFolders(path);
}

async function listFiles(path: string, files: string[]): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(path)) {
    if (isDirectory) await listFiles(`${path}/${name}`, files);
    else files.push(`${path}/${name}`);
  }
}
