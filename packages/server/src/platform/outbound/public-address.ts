import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * IPv4 addresses that may never be called: every row of the IANA IPv4 Special-Purpose Address Registry, including
 * the few that are globally reachable (no receiver uses them), multicast, and one address that a cloud reserves for
 * itself.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const REFUSED_IPV4 = [
  '0.0.0.0/8', // "this network"; some systems connect 0.0.0.0 to themselves
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared by carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform address: serves secrets to virtual machines; in no registry
  '169.254.0.0/16', // link-local, the metadata of most clouds
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays, withdrawn
  '192.168.0.0/16', // private use
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** What IANA has allocated as global unicast. Loopback, link-local, mapped and NAT64 addresses lie outside. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The parts of 2000::/3 that may never be called: the rows of the IANA IPv6 Special-Purpose Address Registry.
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

/**
 * Returns whether an address is public unicast, and so may belong to a customer's server. Accepts strict written
 * forms only; anything else, such as `0x7f.1` or an address with a zone, is not public.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 4) {
    const address = ipaddr.IPv4.parse(ip);
    return !REFUSED_IPV4.some((range) => address.match(range));
  }
  if (isIP(ip) === 6 && !ip.includes('%')) {
    const address = ipaddr.IPv6.parse(ip);
    return address.match(GLOBAL_IPV6) && !REFUSED_IPV6.some((range) => address.match(range));
  }
  return false;
}
