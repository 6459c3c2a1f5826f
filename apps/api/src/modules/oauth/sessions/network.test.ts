import { expect, test } from "vitest";
import { networkOf, siteOf } from "./network.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::5", "2001:db8:0:0::/64"],
  ["2001:db8:1::3:4:5:6", "2001:db8:1:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("maps the address %s to the network %s", (address, network) => expect(networkOf(address)).toBe(network));

test.each([
  ["192.0.2.1", undefined],
  ["::ffff:192.0.2.1", undefined],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::5", "2001:db8:0::/48"],
])("maps the address %s to the site %s", (address, site) => expect(siteOf(address)).toBe(site));
