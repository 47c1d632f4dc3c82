/**
 * What the conformance suite wants to find on a server, so that it can put the HTTP shell through
 * everything: content of every kind, resources, prompts, completion, progress, mirrored headers.
 *
 * @module
 */

import {
  completable,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const IMAGE = { type: "image", data: PIXEL, mimeType: "image/png" } as const;

function text(value: string): { type: "text"; text: string } {
  return { type: "text", text: value };
}

function embedded(uri: string): {
  type: "resource";
  resource: { uri: string; mimeType: string; text: string };
} {
  return { type: "resource", resource: { uri, mimeType: "text/plain", text: "An embedded text" } };
}

/** A factory of servers with the fixtures. */
export const fixtureFactory: McpServerFactory = () => {
  const server = new McpServer({ name: "fixtures", version: "1.0.0" }, {
    capabilities: {
      logging: {},
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    },
  });
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
};

function addTools(server: McpServer): void {
  const plain = {
    test_simple_text: [text("This is a simple text response for testing.")],
    test_image_content: [IMAGE],
    test_audio_content: [{ type: "audio", data: SOUND, mimeType: "audio/wav" }],
    test_embedded_resource: [embedded("test://embedded-resource")],
    test_multiple_content_types: [text("Mixed"), IMAGE, embedded("test://mixed-content-resource")],
  } as const;
  for (const [name, content] of Object.entries(plain)) {
    server.registerTool(name, { description: name }, () => ({ content: [...content] }));
  }
  server.registerTool("test_error_handling", { description: "Fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_tool_with_progress", { description: "Reports" }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) break;
      await ctx.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 },
      });
    }
    return { content: [text("Done")] };
  });
  server.registerTool("test_logging_tool", { description: "Logs" }, async (ctx) => {
    await ctx.mcpReq.log("info", "A line");
    return { content: [text("Logged")] };
  });
  const region = z.string().meta({ "x-mcp-header": "Region" });
  server.registerTool(
    "test_mirrored_header",
    { description: "Has a mirrored argument", inputSchema: z.object({ region }) },
    (args) => ({ content: [text(args.region)] }),
  );
}

function addResources(server: McpServer): void {
  const uri = { text: "test://static-text", binary: "test://static-binary" };
  const mimeType = "text/plain";
  server.registerResource("static-text", uri.text, { mimeType }, () => ({
    contents: [{ uri: uri.text, mimeType, text: "Static text" }],
  }));
  server.registerResource("static-binary", uri.binary, { mimeType: "image/png" }, () => ({
    contents: [{ uri: uri.binary, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType }, (found, { id }) => ({
    contents: [{ uri: found.href, mimeType, text: JSON.stringify({ id }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const says = (
    ...content: (ReturnType<typeof text> | ReturnType<typeof embedded> | typeof IMAGE)[]
  ) => ({
    messages: content.map((part) => ({ role: "user" as const, content: part })),
  });
  server.registerPrompt("test_simple_prompt", { description: "Simple" }, () => says(text("Hello")));
  const argument = (name: string): z.ZodType<string> =>
    completable(z.string().describe(name), (value) => [`${value}paris`]);
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "Two",
      argsSchema: z.object({ arg1: argument("arg1"), arg2: argument("arg2") }),
    },
    ({ arg1, arg2 }) => says(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Embeds", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => says(embedded(resourceUri), text("Read it")),
  );
  server.registerPrompt(
    "test_prompt_with_image",
    { description: "Shows" },
    () => says(IMAGE, text("Look")),
  );
}
