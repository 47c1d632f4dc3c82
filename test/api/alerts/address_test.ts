import assert from "node:assert/strict";
import fc from "fast-check";
import { mailboxOf, parseAddress, parseSender } from "../../../api/alerts/address.ts";

Deno.test("parseAddress() accepts addresses as people write them, and normalizes their domain", () => {
  for (
    const [typed, address] of [
      ["a@b.co", "a@b.co"],
      [" Jane.Doe+fleet@Example.COM ", "Jane.Doe+fleet@example.com"],
      ["o'neil_x-1@sub.carriers.example", "o'neil_x-1@sub.carriers.example"],
      ["info@bücher.example", "info@xn--bcher-kva.example"],
      ["info@BÜCHER.example", "info@xn--bcher-kva.example"],
      ["info@xn--bcher-kva.example", "info@xn--bcher-kva.example"],
      ["x@例え.jp", "x@xn--r8jz45g.jp"],
    ] as const
  ) assert.equal(parseAddress(typed), address, typed);
});

Deno.test("parseAddress() rejects text that isn't an address, or is more than one", () => {
  const typed = [
    ..."a @b.co a@ a@b a@localhost a@127.0.0.1 a@[127.0.0.1] a@2130706433 a@b@c.co".split(" "),
    ...".a@b.co a.@b.co a..b@c.co a@b..co a@-b.co a@b-.co a@b.co. a@xn--.co".split(" "),
    ...`a@b%2eco.example a@b.co/x "a"@b.co <a@b.co> a@b.co,c@d.co a@b.co;c@d.co`.split(" "),
    ...["", "a b@c.co", '"a b"@c.co', "A <a@b.co>", "a@b.co\r\nBcc: c@d.co", "a\r\nBcc: c@d.co"],
    ...["a\0@b.co", "a@b.co\0", "a@b\u202e.co", "jürgen@b.co", `${"a".repeat(65)}@b.co`],
    ...[`a@${"b".repeat(64)}.co`, `a@${"b.".repeat(130)}co`],
  ];
  for (const text of typed) assert.equal(parseAddress(text), null, JSON.stringify(text));
});

Deno.test("parseAddress() never returns what a mail program could read as several addresses", () => {
  const parts = fc.constantFrom(..."ab.@+<>\",;:()\\ \r\n\t\0\u00fc\u202e\uff0e%/[]-'".split(""));
  let taken = 0;
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (middle) => {
      const address = parseAddress(`a${middle.join("")}b@c${middle.join("")}d.co`);
      if (address === null) return;
      taken++;
      assert.match(address, /^[a-z'.+%/-]+@[a-z0-9.-]+\.[a-z]+$/);
      assert.equal(parseAddress(address), address);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(taken > 50, `only ${taken} were addresses`);
});

Deno.test("mailboxOf() folds tags, case and, at Gmail, dots and the second domain, and nothing else", () => {
  assert.equal(mailboxOf("Jane+a@b.co"), "jane@b.co");
  assert.equal(mailboxOf("jane+b+c@b.co"), mailboxOf("JANE@b.co"));
  for (const spelt of ["J.a.n.e@gmail.com", "jane+x.y@googlemail.com", "JANE.@googlemail.com"]) {
    assert.equal(mailboxOf(spelt), "jane@gmail.com");
  }
  assert.notEqual(mailboxOf("jane.d@b.co"), mailboxOf("janed@b.co"));
  assert.notEqual(mailboxOf("jane@mail.gmail.com"), mailboxOf("jane@gmail.com"));
  assert.notEqual(mailboxOf("+a@b.co"), mailboxOf("+b@b.co"));
});

Deno.test("parseSender() reads an address with and without a name", () => {
  assert.deepEqual(parseSender("alerts@b.co"), { name: "", address: "alerts@b.co" });
  assert.deepEqual(parseSender("Carrier alerts <alerts@b.co>"), {
    name: "Carrier alerts",
    address: "alerts@b.co",
  });
  for (const text of ["", "alerts", "A <a@b.co", "A <a>", "A\n<a@b.co>", "a@b.co c@d.co"]) {
    assert.equal(parseSender(text), null, text);
  }
});
