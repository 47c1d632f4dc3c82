import assert from "node:assert/strict";
import { a2a } from "../../../api/a2a/http.ts";
import { agentCard } from "../../../api/discovery/catalogs.ts";
import { AGENT_CARD } from "../../../api/operations/about.ts";
import { npmTool } from "../../mcp/npm_tool.ts";
import { withAsk } from "../ask/service.ts";

// The SDK exports its client separately, under this path.
const sdk = await npmTool("@a2a-js/sdk@1.3.0/client");

Deno.test({
  name: "the official SDK's client finds the agent by its card and calls it",
  ignore: sdk.missing,
  fn: () =>
    withAsk(async (_, deps) => {
      const listen = { port: 0, hostname: "127.0.0.1", onListen() {} };
      const server = Deno.serve(listen, (request) => {
        const { pathname, origin } = new URL(request.url);
        return pathname === AGENT_CARD ? Response.json(agentCard(origin)) : a2a(request, deps);
      });
      const script = `${import.meta.dirname}/sdk_client.mjs`;
      const address = `http://127.0.0.1:${server.addr.port}`;
      const { code, stdout, text } = await sdk.script(script, [address]);
      await server.shutdown();
      assert.equal(code, 0, text);
      const answers = Object.assign(
        {},
        ...stdout.trim().split("\n").map((line) => JSON.parse(line)),
      );
      const [{ content: words }, { content: data }] = answers.answer.parts;
      assert.match(
        words.value,
        /^"GENERAL TRANSPORT INC" \(USDOT 286764\): USDOT number active\? Yes/,
      );
      assert.equal(data.value._meta.response_type, "answer");
      assert.deepEqual([answers.answer.role, answers.context.contextId], [2, "c-1"]);
      const missing = { name: "TaskNotFoundError", code: -32001 };
      assert.deepEqual([answers.task, answers.get, answers.cancel], [missing, missing, missing]);
      assert.deepEqual(answers.list.tasks, []);
      assert.deepEqual(answers.push, { name: "PushNotificationNotSupportedError", code: -32003 });
    }),
});
