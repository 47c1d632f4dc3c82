/**
 * A store in memory that speaks KV Connect, version 2, as denokv does: the protocol of `Deno.openKv` with
 * an http address. Reads, checks, sets, deletes and expiry; no sums, queues or watches.
 *
 * @module
 */

interface Stored {
  value: Uint8Array;
  encoding: bigint;
  version: string;
  /** Milliseconds since the epoch; 0 for never. */
  expiresAt: number;
}

/** The fields of a protobuf message by number: integers, and bytes for all other types. */
type Fields = Map<number, (bigint | Uint8Array)[]>;

const READ_SUCCESS = 1;
const WRITE_SUCCESS = 1;
const CHECK_FAILURE = 2;
const SET = 1n;
const DELETE = 2n;

/** The requests to a server, and a way to stop it. */
export interface KvConnectServer extends AsyncDisposable {
  url: string;
  reads: number;
  writes: number;
}

/** Starts a server on a free port that accepts one access token. */
export function startKvConnect(accessToken: string): KvConnectServer {
  // By key in hexadecimal, which sorts like the bytes.
  const stored = new Map<string, Stored>();
  let commits = 0;

  function live(key: string): Stored | undefined {
    const found = stored.get(key);
    return found === undefined || found.expiresAt > 0 && found.expiresAt <= Date.now()
      ? undefined
      : found;
  }

  function readRange(range: Fields): Uint8Array {
    const [start, end] = [bytesOf(range, 1).toHex(), bytesOf(range, 2).toHex()];
    // Most reads are of a single key.
    const among = end === `${start}00` ? [start] : [...stored.keys()].sort();
    const keys = among.filter((key) => key >= start && key < end && live(key) !== undefined);
    if (integerOf(range, 4) === 1n) keys.reverse();
    return message(
      keys.slice(0, Number(integerOf(range, 3))).map((key) => {
        const { value, encoding, version } = stored.get(key)!;
        const entry = message([
          [1, Uint8Array.fromHex(key)],
          [2, value],
          [3, encoding],
          [4, Uint8Array.fromHex(version)],
        ]);
        return [1, entry];
      }),
    );
  }

  function snapshotRead(body: Fields): Uint8Array {
    const ranges = messagesOf(body, 1).map((range) => [1, readRange(range)] as const);
    return message([...ranges, [4, 1n], [8, BigInt(READ_SUCCESS)]]);
  }

  function atomicWrite(body: Fields): Uint8Array {
    const failed = messagesOf(body, 1).findIndex((check) =>
      (live(bytesOf(check, 1).toHex())?.version ?? "") !== bytesOf(check, 2).toHex()
    );
    if (failed >= 0) return message([[1, BigInt(CHECK_FAILURE)], [4, BigInt(failed)]]);
    // Ten bytes that grow with each commit.
    const version = (++commits).toString(16).padStart(16, "0") + "0000";
    for (const mutation of messagesOf(body, 2)) {
      const key = bytesOf(mutation, 1).toHex();
      const kind = integerOf(mutation, 3);
      if (kind === DELETE) stored.delete(key);
      else if (kind !== SET) throw new TypeError(`cannot do mutation ${kind}`);
      else {
        const [value] = messagesOf(mutation, 2) as [Fields];
        const expiresAt = Number(integerOf(mutation, 4));
        const encoding = integerOf(value, 2);
        stored.set(key, { value: bytesOf(value, 1), encoding, version, expiresAt });
      }
    }
    return message([[1, BigInt(WRITE_SUCCESS)], [2, Uint8Array.fromHex(version)]]);
  }

  async function answer(request: Request): Promise<Response> {
    const token = request.headers.get("authorization");
    const { pathname } = new URL(request.url);
    if (pathname === "/") {
      if (token !== `Bearer ${accessToken}`) return new Response("wrong token", { status: 401 });
      return Response.json({
        version: 2,
        databaseId: DATABASE,
        endpoints: [{ url: "/data", consistency: "strong" }],
        token: SESSION,
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      });
    }
    const isOurs = token === `Bearer ${SESSION}` &&
      request.headers.get("x-denokv-database-id") === DATABASE;
    if (!isOurs) return new Response("not from the metadata exchange", { status: 403 });
    const body = fieldsOf(await request.bytes());
    const isRead = pathname === "/data/snapshot_read";
    if (!isRead && pathname !== "/data/atomic_write") return new Response(null, { status: 404 });
    if (isRead) server.reads++;
    else server.writes++;
    const output = isRead ? snapshotRead(body) : atomicWrite(body);
    return new Response(output as Uint8Array<ArrayBuffer>, {
      headers: { "Content-Type": "application/x-protobuf" },
    });
  }

  const listener = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  const server: KvConnectServer = {
    url: `http://127.0.0.1:${listener.addr.port}/`,
    reads: 0,
    writes: 0,
    [Symbol.asyncDispose]: () => listener.shutdown(),
  };
  return server;
}

const DATABASE = "a1b2c3d4-e5f6-4a8b-9c1d-2e3f4a5b6c7d";
/** The data path's token, which isn't the one that the user sets. */
const SESSION = "session-token";

function integerOf(fields: Fields, number: number): bigint {
  return (fields.get(number)?.at(-1) ?? 0n) as bigint;
}

function bytesOf(fields: Fields, number: number): Uint8Array {
  return (fields.get(number)?.at(-1) ?? new Uint8Array()) as Uint8Array;
}

function messagesOf(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((bytes) => fieldsOf(bytes as Uint8Array));
}

/** Reads a protobuf message of integers and bytes. */
function fieldsOf(bytes: Uint8Array): Fields {
  const fields: Fields = new Map();
  let at = 0;
  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = (tag & 7) === 0 ? varint() : (() => {
      const length = Number(varint());
      return bytes.slice(at, at += length);
    })();
    const all = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, [...all, value]);
  }
  return fields;
}

/** Writes a protobuf message of integers and bytes. */
function message(fields: Iterable<readonly [number: number, value: bigint | Uint8Array]>) {
  const out: number[] = [];
  function varint(value: bigint): void {
    for (; value > 127n; value >>= 7n) out.push(Number(value & 127n) | 128);
    out.push(Number(value));
  }
  for (const [number, value] of fields) {
    varint(BigInt(number << 3 | (typeof value === "bigint" ? 0 : 2)));
    if (typeof value === "bigint") varint(value);
    else {
      varint(BigInt(value.length));
      for (const byte of value) out.push(byte);
    }
  }
  return new Uint8Array(out);
}
