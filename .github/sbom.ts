/** Prints the software bill of materials (CycloneDX 1.6), made from deno.lock. */

import { print } from "../pipeline/io.ts";

const lock: { npm: Record<string, { integrity: string }> } = JSON.parse(
  await Deno.readTextFile(new URL("../deno.lock", import.meta.url)),
);

const components = Object.entries(lock.npm).map(([key, { integrity }]) => {
  // The key may end with the versions of peers, after an underscore.
  const [, name, version] = /^(@?[^@]+)@([^_]+)/.exec(key)!;
  return {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name!.replace("@", "%40")}@${version}`,
    hashes: [{
      alg: "SHA-512",
      content: Uint8Array.fromBase64(integrity.replace("sha512-", "")).toHex(),
    }],
  };
});
print(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components }));
