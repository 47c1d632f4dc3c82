import assert from "node:assert/strict";
import { CUSTOMER, networkOf, ORGANIZATION, PROVIDER } from "../../../api/state/network.ts";

Deno.test("a client's network is that of its customer, organization or provider; other names are their own", () => {
  const networks = (client: string) =>
    [CUSTOMER, ORGANIZATION, PROVIDER].map((bits) => networkOf(client, bits));
  assert.deepEqual(networks("192.0.2.1"), ["192.0.2.1", "192.0", "192.0"]);
  assert.deepEqual(networks("2001:db8:1:2ff::/64"), [
    "2001:db8:1:200::/56",
    "2001:db8:1::/48",
    "2001:db8::/32",
  ]);
  assert.deepEqual(networks("2001:db8:1:ff::/64"), [
    "2001:db8:1:0::/56",
    "2001:db8:1::/48",
    "2001:db8::/32",
  ]);
  assert.deepEqual(networks("unknown"), ["unknown", "unknown", "unknown"]);
});
