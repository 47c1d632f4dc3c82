/**
 * An SMTP server made of wood: it answers by rote, and at one step does something else.
 *
 * @module
 */

/** Steps in the order of a mail; at the greeting and at the end of the body the client says nothing. */
export const STEPS = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "body"] as const;

/** One of {@link STEPS}. */
export type Step = (typeof STEPS)[number];

const ANSWERS: Record<Step, string> = {
  greeting: "220 wood\r\n",
  EHLO: "250 wood\r\n",
  MAIL: "250 ok\r\n",
  RCPT: "250 ok\r\n",
  DATA: "354 go on\r\n",
  body: "250 taken\r\n",
};

/** Starts one that at a step says nothing more, closes the connection, or says something else. */
export function startWooden(at: Step, instead: "hang" | "close" | `${number} ${string}\r\n`) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const reached = Promise.withResolvers<void>();
  let bodies = 0;

  async function talk(connection: Deno.Conn): Promise<void> {
    const encoder = new TextEncoder();
    const say = async (step: Step): Promise<boolean> => {
      if (step !== at) return await connection.write(encoder.encode(ANSWERS[step])) > 0;
      reached.resolve();
      if (instead === "hang") await new Promise(() => {});
      if (instead === "close") {
        connection.close();
        open.delete(connection);
        return false;
      }
      return await connection.write(encoder.encode(instead)) > 0;
    };
    let text = "";
    const decoder = new TextDecoder();
    if (!await say("greeting")) return;
    for await (const chunk of connection.readable.values({ preventCancel: true })) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes("\r\n.\r\n")) {
        bodies++;
        if (!await say("body")) return;
      } else {
        const verb = text.slice(0, 4).trim().toUpperCase();
        const step = STEPS.find((step) => step === verb);
        if (!text.endsWith("\r\n") || step === undefined) {
          // A body comes in pieces; QUIT is not answered.
          continue;
        }
        if (!await say(step)) return;
      }
      text = "";
    }
  }

  async function accept(): Promise<void> {
    for await (const connection of listener) {
      open.add(connection);
      // The client goes away as it likes.
      talk(connection).catch(() => {});
    }
  }
  const accepting = accept();

  return {
    port: listener.addr.port,
    /** Resolves when the step is reached. */
    reached: reached.promise,
    /** Bodies that arrived whole. */
    bodies: () => bodies,
    async close(): Promise<void> {
      listener.close();
      for (const connection of open) {
        try {
          connection.close();
        } catch {
          // It is closed already.
        }
      }
      await accepting.catch(() => {});
    },
  };
}
