import assert from "node:assert/strict";
import { prepareStaging } from "../../../pipeline/compile/spill/staging.ts";

// A terminated worker finishes its current file. On a busy machine this led to "Directory not empty".
Deno.test("a build's folder is deleted although a terminated worker still writes into it", async () => {
  const root = await Deno.makeTempDir();
  const source = `onmessage = ({ data }) => {
    for (let n = 0; n < 1_000_000; n++) {
      try { Deno.writeTextFileSync(data + "/census/" + n, ""); } catch { break; }
      if (n === 100) postMessage("begun");
    }
    postMessage("ended");
  }`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address, { type: "module" });
  try {
    const words = new ReadableStream<string>({
      start: (controller) => worker.onmessage = ({ data }) => controller.enqueue(data),
    }).getReader();
    for (let round = 0; round < 6; round++) {
      const staging = await prepareStaging(root);
      worker.postMessage(staging.dir);
      assert.equal((await words.read()).value, "begun");
      await staging[Symbol.asyncDispose]();
      assert.equal((await words.read()).value, "ended");
      assert.deepEqual(await Array.fromAsync(Deno.readDir(root), ({ name }) => name), [
        ".build.lock",
      ]);
    }
  } finally {
    worker.terminate();
    URL.revokeObjectURL(address);
    await Deno.remove(root, { recursive: true });
  }
});
