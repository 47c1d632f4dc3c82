// Talks to an agent as a client of the official SDK does. Arguments: the specifier of its client, the
// address of the service. Prints one line of JSON a call.
const [client, address] = Deno.args;
const { ClientFactory } = await import(client);
const agent = await new ClientFactory().createFromUrl(address);

async function report(name, work) {
  const answer = await work().catch(({ name, envelopeCode: code }) => ({ name, code }));
  // deno-lint-ignore no-console -- its output is read by the test
  console.log(JSON.stringify({ [name]: answer }));
}

const question = (value, more = {}) => ({
  message: {
    messageId: crypto.randomUUID(),
    role: 1,
    parts: [{ content: { $case: "text", value }, filename: "", mediaType: "" }],
    contextId: "",
    taskId: "",
    extensions: [],
    referenceTaskIds: [],
    ...more,
  },
});

await report("answer", () => agent.sendMessage(question("is DOT 286764 active")));
await report("context", () => agent.sendMessage(question("ucr", { contextId: "c-1" })));
await report("task", () => agent.sendMessage(question("ucr", { taskId: "t-1" })));
await report("get", () => agent.getTask({ id: "t-1" }));
await report(
  "list",
  () => agent.listTasks({ tenant: "", contextId: "", status: 0, pageToken: "" }),
);
await report("cancel", () => agent.cancelTask({ id: "t-1" }));
await report("push", () => agent.deleteTaskPushNotificationConfig({ taskId: "t-1", id: "p-1" }));
