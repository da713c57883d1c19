import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopbackAddress } from './loopback.ts';
import { isPublicAddress } from './public-address.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network in CIDR notation. */
export interface Network {
  readonly text: string;
  readonly first: Address;
  readonly prefixLength: number;
}

/** Which addresses may be called. */
export interface AddressRules {
  /** Whether targets on this machine may be called. */
  readonly allowInsecure: boolean;
  /** Networks beside the public ones that may be called. */
  readonly allowedNetworks?: readonly Network[];
}

/**
 * Ranges that a network allows only if it lies inside them: a wider one, such as 0.0.0.0/0, does not mean them. The
 * addresses behind which clouds keep credentials are ranges of their own inside private or link-local networks.
 */
const SENSITIVE = [
  '0.0.0.0/8', // "this network"
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local
  '169.254.169.254/32', // metadata of most clouds
  '169.254.170.2/32', // credentials of containers, AWS
  '169.254.170.23/32', // credentials of pods, AWS
  '100.100.100.200/32', // metadata, Alibaba
  '168.63.129.16/32', // platform address, Azure
  '192.0.0.192/32', // metadata, Oracle
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
  '::/128', // unspecified
  '::1/128', // loopback
  'fe80::/10', // link-local
  'ff00::/8', // multicast
  'fd00:ec2::/64', // metadata and credentials, AWS
  'fd20:ce::254/128', // metadata, Google
  '64:ff9b:1::/48', // NAT64 with a prefix length that only the network knows: may carry any IPv4 address
  '2001::/32', // Teredo: carries IPv4 addresses
].map(toNetwork);

/** Ranges of IPv6 whose addresses stand for IPv4 addresses, and the first byte of these. */
const EMBEDDING = [
  ['::ffff:0:0/96', 12], // mapped
  ['::ffff:0:0:0/96', 12], // translated
  ['64:ff9b::/96', 12], // NAT64
  ['2002::/16', 2], // 6to4
].map(([range, offset]) => ({ range: toNetwork(String(range)), offset: Number(offset) }));
/** IPv4-compatible, except `::` and `::1`, which are in the same range. */
const COMPATIBLE = { range: toNetwork('::/96'), offset: 12 };

/**
 * Parses a network such as `10.20.0.0/16`. Returns undefined if it is malformed, has bits set after the prefix, or
 * consists of IPv6 addresses that stand for IPv4 addresses: those are checked as IPv4.
 */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  const hasPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
  if (family === 0 || !hasPrefix || rest.length > 0) return undefined;
  const network = toNetwork(text);
  const bytes = network.first.toByteArray();
  const hasHostBits = bytes.some((byte, index) => (byte & ~maskOf(network.prefixLength - index * 8)) !== 0);
  const isEmbedding = EMBEDDING.some(({ range }) => isInside(network, range));
  return hasHostBits || isEmbedding ? undefined : network;
}

/** Returns whether a network allows addresses that a wider one would not, such as loopback. */
export function isSensitive(network: Network): boolean {
  return SENSITIVE.some((range) => isInside(network, range));
}

/** Returns whether an address may be called: a public one, or one that the rules add. */
export function isAllowedAddress(ip: string, { allowInsecure, allowedNetworks = [] }: AddressRules): boolean {
  if (isPublicAddress(ip) || (allowInsecure && isLoopbackAddress(ip))) return true;
  if (isIP(ip) === 0 || ip.includes('%')) return false;
  const address = toIPv4IfEmbedded(ipaddr.parse(ip));
  const sensitive = SENSITIVE.filter((range) => contains(range, address));
  return allowedNetworks.some(
    (network) => contains(network, address) && sensitive.every((range) => isInside(network, range)),
  );
}

function toIPv4IfEmbedded(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const bytes = address.toByteArray();
  const isSpecial = bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) <= 1;
  const forms = isSpecial ? [] : [...EMBEDDING, COMPATIBLE];
  const form = forms.find(({ range }) => contains(range, address));
  return form ? new ipaddr.IPv4(bytes.slice(form.offset, form.offset + 4)) : address;
}

function contains({ first, prefixLength }: Network, address: Address): boolean {
  return first.kind() === address.kind() && address.match(first, prefixLength);
}

function isInside(inner: Network, outer: Network): boolean {
  return inner.prefixLength >= outer.prefixLength && contains(outer, inner.first);
}

function toNetwork(text: string): Network {
  const [first, prefixLength] = ipaddr.parseCIDR(text);
  return { text, first, prefixLength };
}

/** The mask of one byte of which the first `bits` belong to the prefix. */
function maskOf(bits: number): number {
  return bits >= 8 ? 0xff : bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff;
}
