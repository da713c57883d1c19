import { isIP, isIPv4 } from 'node:net';

/** Whether an address is this machine's own. An IPv4 address in IPv6 clothes is not: nobody needs one. */
export function isLoopbackAddress(ip: string): boolean {
  return (isIPv4(ip) && ip.startsWith('127.')) || ip === '::1';
}

/** Whether a name always means this machine (RFC 6761, section 6.3). */
export function isLocalhost(hostname: string): boolean {
  return isIP(hostname) === 0 && /^(?:.*\.)?localhost$/i.test(hostname);
}
