import assert from "node:assert/strict";
import fc from "fast-check";
import { clientOf } from "../../../api/http/client.ts";
import { ANY_UNIT } from "../../any_unit.ts";

const PEER = "203.0.113.9";

Deno.test("clientOf() returns the address that counts", () => {
  const table: [
    what: string,
    hops: number,
    header: string | null,
    peer: string | undefined,
    client: string,
  ][] = [
    ["no proxy", 0, null, PEER, PEER],
    ["no proxy, a forged header", 0, "192.0.2.1", PEER, PEER],
    ["one proxy", 1, "192.0.2.1", PEER, "192.0.2.1"],
    ["one proxy, a forged entry before its own", 1, "198.51.100.7, 192.0.2.1", PEER, "192.0.2.1"],
    ["one proxy, no header", 1, null, PEER, PEER],
    ["one proxy, an empty header", 1, "", PEER, PEER],
    ["two proxies", 2, "192.0.2.1, 198.51.100.7", PEER, "192.0.2.1"],
    ["two proxies, a forged entry", 2, "8.8.8.8, 192.0.2.1, 198.51.100.7", PEER, "192.0.2.1"],
    ["two proxies, one entry", 2, "192.0.2.1", PEER, "192.0.2.1"],
    ["two proxies, no header", 2, null, PEER, PEER],
    [
      "several lines, joined as they arrive",
      2,
      "8.8.8.8, 1.1.1.1, 192.0.2.1,198.51.100.7",
      PEER,
      "192.0.2.1",
    ],
    ["spaces and tabs", 1, " \t192.0.2.1\t ", PEER, "192.0.2.1"],
    ["IPv4 with a port", 1, "192.0.2.1:54321", PEER, "192.0.2.1"],
    ["IPv6 full", 1, "2001:0db8:0001:0002:0003:0004:0005:0006", PEER, "2001:db8:1:2::/64"],
    ["IPv6 upper case", 1, "2001:DB8:1:2:AbCd::", PEER, "2001:db8:1:2::/64"],
    ["IPv6 short at the end", 1, "2001:db8:1:2::", PEER, "2001:db8:1:2::/64"],
    ["IPv6 short in the /64", 1, "2001:db8::1", PEER, "2001:db8:0:0::/64"],
    ["IPv6 short for one group", 1, "1:2:3:4:5:6:7::", PEER, "1:2:3:4::/64"],
    ["IPv6 short at the start", 1, "::2:3:4:5:6:7:8", PEER, "0:2:3:4::/64"],
    ["IPv6 loopback", 1, "::1", PEER, "0:0:0:0::/64"],
    ["IPv6 unspecified", 1, "::", PEER, "0:0:0:0::/64"],
    ["IPv6 with a zone", 1, "fe80::1%eth0", PEER, "fe80:0:0:0::/64"],
    ["IPv6 in brackets", 1, "[2001:db8:1:2::3]", PEER, "2001:db8:1:2::/64"],
    ["IPv6 with a port", 1, "[2001:db8:1:2::3]:443", PEER, "2001:db8:1:2::/64"],
    ["IPv6 with zone and port", 1, "[fe80::1%25eth0]:443", PEER, "fe80:0:0:0::/64"],
    ["IPv6 with an IPv4 tail", 1, "64:ff9b::192.0.2.1", PEER, "64:ff9b:0:0::/64"],
    ["IPv4-mapped", 1, "::ffff:192.0.2.1", PEER, "192.0.2.1"],
    ["IPv4-mapped in upper case", 1, "::FFFF:192.0.2.1", PEER, "192.0.2.1"],
    ["IPv4-mapped in hexadecimal", 1, "::ffff:c000:201", PEER, "192.0.2.1"],
    ["IPv4-mapped in full", 1, "0:0:0:0:0:ffff:c000:0201", PEER, "192.0.2.1"],
    ["IPv4-mapped with a port", 1, "[::ffff:192.0.2.1]:80", PEER, "192.0.2.1"],
    ["not quite IPv4-mapped", 1, "1::ffff:192.0.2.1", PEER, "1:0:0:0::/64"],
    ["a mapped peer", 0, null, "::ffff:192.0.2.1", "192.0.2.1"],
    ["an IPv6 peer", 0, null, "2001:db8:1:2::3", "2001:db8:1:2::/64"],
    ["junk", 1, "unknown", PEER, PEER],
    [
      "junk is replaced by the entry to its right, not its left",
      2,
      "8.8.8.8, junk, 192.0.2.1",
      PEER,
      "192.0.2.1",
    ],
    ["an empty entry keeps its place", 2, "8.8.8.8, , 192.0.2.1", PEER, "192.0.2.1"],
    ["only commas", 3, ",,,,", PEER, PEER],
    ["all junk", 2, "8.8.8.8, junk, _hidden", PEER, PEER],
    ["an address out of range", 1, "256.1.1.1", PEER, PEER],
    ["an octal address", 1, "0300.0.2.1", PEER, PEER],
    ["a short IPv4 address", 1, "192.1", PEER, PEER],
    ["an IPv6 address with two gaps", 1, "1::2::3", PEER, PEER],
    ["an IPv6 address too long", 1, "1:2:3:4:5:6:7:8:9", PEER, PEER],
    ["an open bracket", 1, "[::1", PEER, PEER],
    ["a name", 1, "example.org", PEER, PEER],
    ["no peer", 0, "192.0.2.1", undefined, "unknown"],
    ["no peer, junk", 1, "junk", undefined, "unknown"],
    ["no peer behind a proxy", 1, "192.0.2.1", undefined, "192.0.2.1"],
  ];
  for (const [what, hops, forwardedFor, peer, client] of table) {
    assert.equal(clientOf({ forwardedFor, peer, hops }), client, what);
  }
});

Deno.test("clientOf() returns one name for all addresses of a /64 and spellings of one", () => {
  // Not IPv4-mapped: that is another name.
  const groups = fc.array(fc.nat(0xfffe), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 }), (all, low) => {
      const spell = (numbers: number[], write: (n: number) => string): string =>
        numbers.map(write).join(":");
      const name = (forwardedFor: string): string =>
        clientOf({ forwardedFor, peer: PEER, hops: 1 });
      const plain = spell(all, (n) => n.toString(16));
      const wanted = name(plain);
      assert.equal(name(spell(all, (n) => n.toString(16).padStart(4, "0").toUpperCase())), wanted);
      // The URL parser writes the shortest form, with `::`.
      assert.equal(name(new URL(`http://[${plain}]`).hostname), wanted);
      assert.equal(name(spell([...all.slice(0, 4), ...low], (n) => n.toString(16))), wanted);
      assert.equal(wanted, `${spell(all.slice(0, 4), (n) => n.toString(16))}::/64`);
    }),
  );
});

const anyHeader = fc.oneof(
  fc.string({ unit: ANY_UNIT }),
  fc.array(
    fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("", "junk", " ", "[::1]:80", "1.2.3.4:5")),
  )
    .map((entries) => entries.join(", ")),
);

Deno.test("clientOf() ignores whatever the caller writes", () => {
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

Deno.test("clientOf() returns a short name for anything", () => {
  const peer = fc.option(fc.oneof(fc.ipV6(), fc.string()), { nil: undefined });
  fc.assert(fc.property(anyHeader, peer, fc.nat(9), (forwardedFor, peer, hops) => {
    assert.match(clientOf({ forwardedFor, peer, hops }), /^[0-9a-z.:/]{3,45}$/);
  }));
  const huge = "1.1.1.1, ".repeat(1_000_000);
  assert.equal(clientOf({ forwardedFor: `${huge}192.0.2.1`, peer: PEER, hops: 1 }), "192.0.2.1");
  assert.equal(clientOf({ forwardedFor: "9".repeat(1_000_000), peer: PEER, hops: 3 }), PEER);
  assert.equal(clientOf({ forwardedFor: ",".repeat(1_000_000), peer: PEER, hops: 9 }), PEER);
});
