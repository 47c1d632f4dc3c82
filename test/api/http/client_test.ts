import assert from "node:assert/strict";
import fc from "fast-check";
import { clientOf } from "../../../api/http/client.ts";
import { ANY_UNIT } from "../../any_unit.ts";

const PEER = "203.0.113.9";

/** The address in one proxy's entry. The other entries are junk. */
const ENTRIES: Record<string, string> = {
  " \t192.0.2.1\t ": "192.0.2.1",
  "192.0.2.1:54321": "192.0.2.1",
  "2001:0db8:0001:0002:0003:0004:0005:0006": "2001:db8:1:2::/64",
  "2001:DB8:1:2:AbCd::": "2001:db8:1:2::/64",
  "2001:db8::1": "2001:db8:0:0::/64",
  "1:2:3:4:5:6:7::": "1:2:3:4::/64",
  "::2:3:4:5:6:7:8": "0:2:3:4::/64",
  "::": "0:0:0:0::/64",
  "fe80::1%eth0": "fe80:0:0:0::/64",
  "[2001:db8:1:2::3]": "2001:db8:1:2::/64",
  "[2001:db8:1:2::3]:443": "2001:db8:1:2::/64",
  "[fe80::1%25eth0]:443": "fe80:0:0:0::/64",
  "64:ff9b::192.0.2.1": "64:ff9b:0:0::/64",
  "::FFFF:192.0.2.1": "192.0.2.1",
  "::ffff:c000:201": "192.0.2.1",
  "0:0:0:0:0:ffff:c000:0201": "192.0.2.1",
  "[::ffff:192.0.2.1]:80": "192.0.2.1",
  "1::ffff:192.0.2.1": "1:0:0:0::/64",
};
const JUNK = ["unknown", "", "256.1.1.1", "0300.0.2.1", "192.1", "1::2::3", "1:2:3:4:5:6:7:8:9"]
  .concat("[::1", "example.org");

Deno.test("clientOf() returns the address that the trusted proxies report", () => {
  const cases: [hops: number, header: string | null, client: string, peer?: string | null][] = [
    [0, null, PEER],
    // Forged: not from a proxy, and entries before the proxies' entries.
    [0, "192.0.2.1", PEER],
    [1, "198.51.100.7, 192.0.2.1", "192.0.2.1"],
    [2, "8.8.8.8, 1.1.1.1, 192.0.2.1,198.51.100.7", "192.0.2.1"],
    [2, "192.0.2.1", "192.0.2.1"],
    [2, null, PEER],
    // Junk is replaced by the entry on its right, not its left, and an empty entry keeps its place.
    [2, "8.8.8.8, junk, 192.0.2.1", "192.0.2.1"],
    [2, "8.8.8.8, , 192.0.2.1", "192.0.2.1"],
    [2, "8.8.8.8, junk, _hidden", PEER],
    [3, ",,,,", PEER],
    [0, null, "192.0.2.1", "::ffff:192.0.2.1"],
    [0, null, "2001:db8:1:2::/64", "2001:db8:1:2::3"],
    [0, "192.0.2.1", "unknown", null],
    [1, "junk", "unknown", null],
    [1, "192.0.2.1", "192.0.2.1", null],
    ...Object.entries(ENTRIES).map(([entry, client]) => [1, entry, client] as [1, string, string]),
    ...JUNK.map((entry) => [1, entry, PEER] as [1, string, string]),
  ];
  for (const [hops, forwardedFor, client, peer = PEER] of cases) {
    assert.equal(clientOf({ forwardedFor, peer: peer ?? undefined, hops }), client, forwardedFor!);
  }
});

Deno.test("clientOf() returns one name for all addresses of a /64 and all spellings of one address", () => {
  // Never ffff, so that no address is IPv4-mapped: those are named by their IPv4 address.
  const group = fc.nat(0xfffe).map((n) => n.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  fc.assert(fc.property(half, half, half, (high, low, other) => {
    const plain = [...high, ...low].join(":");
    const spellings = [
      plain,
      [...high, ...low].map((text) => text.padStart(4, "0").toUpperCase()).join(":"),
      // The URL parser writes the shortest form, with `::`.
      new URL(`http://[${plain}]`).hostname,
      [...high, ...other].join(":"),
    ];
    for (const forwardedFor of spellings) {
      const name = clientOf({ forwardedFor, peer: PEER, hops: 1 });
      assert.equal(name, `${high.join(":")}::/64`);
    }
  }));
});

const anyHeader = fc.oneof(
  fc.string({ unit: ANY_UNIT }),
  fc.array(
    fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("", "junk", " ", "[::1]:80", "1.2.3.4:5")),
  )
    .map((entries) => entries.join(", ")),
);

Deno.test("clientOf() ignores anything that the client writes into the header", () => {
  fc.assert(fc.property(anyHeader, (forwardedFor) => {
    assert.equal(clientOf({ forwardedFor, peer: PEER, hops: 0 }), PEER);
  }));
  const appended = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant("junk")), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(fc.property(anyHeader, appended, (forged, ours) => {
    const { length: hops } = ours;
    const honest = clientOf({ forwardedFor: ours.join(", "), peer: PEER, hops });
    const forwardedFor = [forged, ...ours].join(", ");
    assert.equal(clientOf({ forwardedFor, peer: PEER, hops }), honest);
  }));
});

Deno.test("clientOf() returns a short name for any input", () => {
  const peer = fc.option(fc.oneof(fc.ipV6(), fc.string()), { nil: undefined });
  fc.assert(fc.property(anyHeader, peer, fc.nat(9), (forwardedFor, peer, hops) => {
    assert.match(clientOf({ forwardedFor, peer, hops }), /^[0-9a-z.:/]{3,45}$/);
  }));
  const huge = "1.1.1.1, ".repeat(1_000_000);
  assert.equal(clientOf({ forwardedFor: `${huge}192.0.2.1`, peer: PEER, hops: 1 }), "192.0.2.1");
  assert.equal(clientOf({ forwardedFor: "9".repeat(1_000_000), peer: PEER, hops: 3 }), PEER);
  assert.equal(clientOf({ forwardedFor: ",".repeat(1_000_000), peer: PEER, hops: 9 }), PEER);
});
