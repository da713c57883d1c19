import { isIP, isIPv4 } from 'node:net';

/**
 * Returns whether an address is this machine's own. An IPv4-mapped IPv6 address does not count: it has no
 * legitimate use here.
 */
export function isLoopbackAddress(ip: string): boolean {
  return (isIPv4(ip) && ip.startsWith('127.')) || ip === '::1';
}

/** Returns whether a name always means this machine (RFC 6761, section 6.3), with or without a dot at its end. */
export function isLocalhost(hostname: string): boolean {
  return isIP(hostname) === 0 && /^(?:.*\.)?localhost\.?$/i.test(hostname);
}
