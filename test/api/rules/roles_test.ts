import assert from "node:assert/strict";
import { hasRole, lacksRole, roleWord, roleWords } from "../../../api/rules/roles.ts";
import { record } from "../../pipeline/snapshot/memory.ts";

Deno.test("a carrier that filed no role neither has nor lacks one", () => {
  for (const none of [record(7), record(7, { roles: [] })]) {
    assert.deepEqual([hasRole(none, "C"), lacksRole(none, "C")], [false, false]);
  }
  const broker = record(7, { roles: ["B", "F"] });
  assert.deepEqual([hasRole(broker, "C", "F"), lacksRole(broker, "C", "F")], [true, false]);
  assert.deepEqual([hasRole(broker, "C", "I"), lacksRole(broker, "C", "I")], [false, true]);
});

Deno.test("roles are named in words, without letters that FMCSA does not publish", () => {
  assert.equal(roleWords(record(7, { roles: ["B", "?", "F"] })), "broker and freight forwarder");
  assert.equal(roleWords(record(7, { roles: ["?"] })), "something else than a carrier");
  assert.deepEqual(["I", "?"].map(roleWord), ["intermodal equipment provider", "unknown (?)"]);
});
