/** Clients that send or read slowly block nobody, with a service alone and behind nginx. */

import assert from "node:assert/strict";
import { sleep } from "../pipeline/retry.ts";
import { hasNginx, startProxy } from "./nginx.ts";
import { type Run, startOne } from "./run_main.ts";

const DOT = "295017";

/** Headers that a browser sends with a form on the site itself. */
const SAME = { "Sec-Fetch-Site": "same-origin" };

/** The service's address, and the header there with the client's address. */
interface Endpoint {
  address: string;
  header: string;
}

/** Opens a connection for each text and sends the text. After that it neither sends nor reads. */
async function hold({ address, header }: Endpoint, texts: readonly string[]): Promise<Disposable> {
  const { hostname, port } = new URL(address);
  const connections = await Promise.all(texts.map(async (text, i) => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const client = `${header}: 10.${i % 40}.0.1\r\n`;
    const all = new TextEncoder().encode(text.replace("\r\n", `\r\nHost: localhost\r\n${client}`));
    await connection.write(all);
    return connection;
  }));
  return { [Symbol.dispose]: () => connections.forEach((one) => one.close()) };
}

/** Requests whose bodies stop early. */
function halfSent(count: number, path: string, type: string): string[] {
  const head = { ...SAME, "Content-Type": type, "Content-Length": "9000" };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Array(count).fill(`POST ${path} HTTP/1.1\r\n${lines}\r\n{"query":`);
}

/** Checks that slow clients block nobody. @param numbers Size of the job; without a proxy large enough that no buffer holds its result. */
async function checkNobodyIsBlocked(
  endpoint: Endpoint,
  { numbers }: { numbers: number },
): Promise<void> {
  const send = async (path: string, body: BodyInit, type?: string): Promise<Response> => {
    const headers = {
      ...SAME,
      [endpoint.header]: "192.0.2.1",
      ...type && { "Content-Type": type },
    };
    const init = { method: "POST", body, headers, redirect: "manual" } as const;
    return await fetch(endpoint.address + path, init);
  };
  const post = (path: string, body: unknown): Promise<Response> =>
    send(path, JSON.stringify(body), "application/json");

  const made = await post("/api/v1/jobs", { dots: Array(numbers).fill(DOT) });
  const job = await made.json();
  const get = `GET /api/v1/jobs/${job.id} HTTP/1.1\r\n\r\n`;
  const attacks: [string, string[], () => Promise<Response>, number][] = [
    [
      "4 half-sent uploads",
      halfSent(4, "/bulk", "multipart/form-data; boundary=b"),
      () => send("/bulk", new URLSearchParams({ text: DOT })),
      303,
    ],
    [
      "24 jobs that are not read",
      Array(24).fill(get),
      () => post("/api/v1/carriers/batch", { dots: [DOT] }),
      200,
    ],
    [
      "160 half-sent small bodies",
      halfSent(160, "/ask", "application/json"),
      () => post("/ask", { query: { text: `is ${DOT} active` } }),
      200,
    ],
  ];
  for (const [attack, texts, ask, status] of attacks) {
    using _ = await hold(endpoint, texts);
    // Gives the service time to start with them.
    await sleep(500);
    let response = await ask();
    // A busy machine may need ten seconds to fill the buffers of 24 connections. Regression: a stalled reader
    // had a slot for 30 s.
    if (response.status === 503) {
      await response.body?.cancel();
      response = await ask();
    }
    assert.equal(response.status, status, `${attack}: ${await response.text()}`);
  }
}

function start(): Promise<Run> {
  return startOne({ TRUSTED_PROXY_HOPS: "1" });
}

Deno.test("half-sent bodies and unread jobs of other clients block nobody", async () => {
  await using run = await start();
  await checkNobodyIsBlocked({ address: run.address, header: "X-Forwarded-For" }, {
    numbers: 5_000,
  });
});

Deno.test({
  name: "half-sent bodies and unread jobs block nobody behind the bundled proxy",
  ignore: !hasNginx(),
  async fn() {
    await using run = await start();
    await using proxy = await startProxy(`http://127.0.0.1:${run.port}`, "X-Client");
    await checkNobodyIsBlocked({ address: proxy.edge, header: "X-Client" }, { numbers: 500 });
  },
});
