import assert from "node:assert/strict";
import type { A2aDeps } from "../../../api/a2a/http.ts";
import { AskResponse } from "../../../api/ask/schemas.ts";
import { withAsk } from "../ask/service.ts";
import { call, message, MessageResult } from "./service.ts";

/** Sends a message, and reads text and data of the answer. */
async function send(deps: A2aDeps, content: string | unknown[], more = {}) {
  const { status, body } = await call(deps, "SendMessage", { message: message(content, more) });
  assert.deepEqual([status, body.id], [200, 7], JSON.stringify(body));
  const { message: { parts, contextId, messageId } } = MessageResult.parse(body.result);
  const [text, data] = parts as unknown as [{ text: string }, { data: unknown }];
  return { text: text.text, data: AskResponse.parse(data.data), contextId, messageId };
}

async function refusal(deps: A2aDeps, params: unknown) {
  const { status, body } = await call(deps, "SendMessage", params);
  assert.equal(status, 200);
  return body.error;
}

Deno.test("SendMessage answers as /ask does, in words with their source and as data", async () => {
  await withAsk(async (ask, deps) => {
    for (const query of ["is DOT 286764 active", "ucr for 12 trucks", "ucr", "999", "is it safe"]) {
      const { data } = await send(deps, query);
      assert.deepEqual(data, (await ask({ query })).body, query);
    }
    const { text } = await send(deps, "286764 and 295017");
    assert.match(
      text,
      /^"GENERAL TRANSPORT INC" \(USDOT 286764\): .* Source: https:\/\/carriers\.example\/api\/v1\/carriers\/286764\n\n"BLUE RIVER .*\/295017$/,
    );
    assert.match((await send(deps, "ucr")).text, /number of vehicles\. How many .*\?$/);
    assert.match(
      (await send(deps, "blue river status")).text,
      /^No carrier is named exactly "blue river"\. .* \(.*295018, active\); .*295017, not active\);.*\)$/,
    );
    assert.match((await send(deps, "can I trust 286764")).text, /Database: https:.*\nHere: https:/);
  });
});

Deno.test("SendMessage reads several text parts as one question, and a blank one as none", async () => {
  await withAsk(async (_, deps) => {
    const parts = [{ text: " is DOT " }, { text: "286764", mediaType: "text/plain" }, {
      text: "active?",
      mediaType: "Text/Plain; charset=utf-8",
      data: null,
    }];
    const { data } = await send(deps, parts);
    assert.equal(data._meta.understood, "USDOT status of USDOT 286764");
    assert.equal((await send(deps, " ")).data._meta.response_type, "elicitation");
  });
});

Deno.test("SendMessage keeps the context id it receives, else creates one, and stores nothing", async () => {
  await withAsk(async (_, deps) => {
    const first = await send(deps, "is DOT 286764 active");
    assert.match(first.contextId, /^[0-9a-f-]{36}$/);
    const { contextId } = first;
    const alone = await send(deps, "and its safety rating?", { contextId });
    assert.equal(alone.contextId, contextId);
    assert.notEqual(alone.messageId, first.messageId);
    assert.equal(alone.data._meta.response_type, "elicitation");
    const metadata = { prev: ["is DOT 286764 active"], of: "another caller" };
    const followUp = await send(deps, "and its safety rating?", { contextId, metadata });
    assert.equal(followUp.data._meta.understood, "Safety rating of USDOT 286764");
  });
});

Deno.test("SendMessage answers in the output modes that the caller takes", async () => {
  await withAsk(async (_, deps) => {
    const types = async (acceptedOutputModes: string[]) => {
      const params = { message: message("286764"), configuration: { acceptedOutputModes } };
      const { body } = await call(deps, "SendMessage", params);
      if (body.error) return body.error.code;
      return body.result.message.parts.map((part: { mediaType: string }) => part.mediaType);
    };
    const both = ["text/plain", "application/json"];
    assert.deepEqual(await types([]), both);
    assert.deepEqual(await types(["*/*"]), both);
    assert.deepEqual(await types(["image/png", "application/json"]), ["application/json"]);
    assert.deepEqual(await types(["text/*"]), ["text/plain"]);
    assert.equal(await types(["image/png"]), -32005);
  });
});

Deno.test("SendMessage refuses parts that it cannot read, instead of answering without them", async () => {
  await withAsk(async (_, deps) => {
    const wrong: [unknown[], number, RegExp][] = [
      [[{ url: "https://x.example/list.csv", mediaType: "text/csv" }], -32005, /not text/],
      [[{ text: "check these" }, { raw: "AAAA", filename: "a.bin" }], -32005, /parts\.1/],
      [[{ data: { dot: "286764" } }], -32005, /not text/],
      [[{ text: "<b>286764</b>", mediaType: "text/html" }], -32005, /it is "text\/html"/],
      [[], -32602, /there is none/],
      [[{}], -32602, /exactly one/],
      [[{ text: "286764", url: "https://x.example" }], -32602, /exactly one/],
      [[{ kind: "text", text: 5 }], -32602, /parts\.0\.text/],
      [[{ text: "x".repeat(600) }, { text: "y".repeat(600) }], -32602, /1000 characters/],
    ];
    for (const [parts, code, says] of wrong) {
      const error = await refusal(deps, { message: message(parts) });
      assert.equal(error.code, code, JSON.stringify(parts));
      assert.match(error.message, says);
      assert.equal(error.data.at(-1)["@type"], "type.googleapis.com/google.rpc.BadRequest");
    }
  });
});

Deno.test("SendMessage refuses tasks, push notifications and invalid messages", async () => {
  await withAsk(async (_, deps) => {
    const task = await refusal(deps, { message: message("286764", { taskId: "t-1" }) });
    assert.deepEqual([task.code, task.data], [-32001, [{
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "TASK_NOT_FOUND",
      domain: "a2a-protocol.org",
      metadata: { taskId: "t-1" },
    }]]);
    const push = { taskPushNotificationConfig: { url: "https://x.example" } };
    const pushed = await refusal(deps, { message: message("286764"), configuration: push });
    assert.equal(pushed.code, -32003);
    const wrong: [unknown, string][] = [
      [undefined, "params"],
      [[], "params"],
      [{}, "params.message"],
      [{ message: { role: "ROLE_USER", parts: [] } }, "params.message.messageId"],
      [{ message: message("x", { messageId: "" }) }, "params.message.messageId"],
      [{ message: message("x", { role: "ROLE_AGENT" }) }, "params.message.role"],
      [{ message: message("x", { parts: "x" }) }, "params.message.parts"],
      [{ message: message("x", { contextId: 5 }) }, "params.message.contextId"],
      [{ message: message("x", { metadata: { prev: "x" } }) }, "params.message.metadata.prev"],
    ];
    for (const [params, field] of wrong) {
      const { code, data } = await refusal(deps, params);
      assert.deepEqual([code, data[0].fieldViolations[0].field], [-32602, field]);
    }
  });
});
