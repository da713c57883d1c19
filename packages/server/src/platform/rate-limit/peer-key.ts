import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Peer = {
  /** The remote address of the socket; undefined once it is closed. */
  socketAddress: string | undefined;
  forwardedFor: string | undefined;
  realIp: string | undefined;
  /** Whether every request comes through our own proxy. If not, clients can forge the two headers. */
  trustProxy: boolean;
};

/**
 * Returns the key under which requests of an unknown client are counted: an IPv4 address, or a whole IPv6 /64,
 * since one customer holds all of it. Behind a trusted proxy it is the right-most address of `X-Forwarded-For`: the
 * one that the proxy itself appended. Everything to its left comes from the client, who could otherwise choose a
 * new key for each request.
 */
export function peerKey({ socketAddress, forwardedFor, realIp, trustProxy }: Peer): string {
  const claimed = trustProxy ? toKey(rightMost(forwardedFor) ?? realIp) : undefined;
  return claimed ?? toKey(socketAddress) ?? 'unknown';
}

/** Returns the key of the client that sends a request. */
export function peerOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustProxy: boolean,
): string {
  return peerKey({
    socketAddress: socket.remoteAddress,
    forwardedFor: headers['x-forwarded-for']?.toString(),
    realIp: headers['x-real-ip']?.toString(),
    trustProxy,
  });
}

/**
 * Returns the network of a key: an IPv4 /24, or an IPv6 /32, which is what a registry assigns to a provider. An attacker has
 * any number of addresses, but not in the networks of thousands of providers.
 */
export function networkOf(peer: string): string {
  if (!peer.includes(':')) return peer.replace(/\.\d+$/, '.0/24');
  return `${peer.split(':').slice(0, 2).join(':')}::/32`;
}

function rightMost(forwardedFor: string | undefined): string | undefined {
  return forwardedFor?.slice(forwardedFor.lastIndexOf(',') + 1).trim();
}

function toKey(text: string | undefined): string | undefined {
  // An interface name follows `%`; some proxies append the port.
  const bare = text
    ?.replace(/%.*$/, '')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
  if (bare === undefined || isIP(bare) === 0) return undefined;
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
