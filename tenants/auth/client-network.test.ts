import { expect, test } from 'vitest'
import { clientNetwork, clientSite } from './client-network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'not an address'],
])('%s belongs to %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['not an address', null],
])('%s is at the site %s', (address, site) => {
  expect(clientSite(address)).toBe(site)
})
