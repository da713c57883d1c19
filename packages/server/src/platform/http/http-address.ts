import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where a listener binds. `host` has no brackets around an IPv6 address. Port 0 means any free port. */
export type HttpAddress = { readonly host: string; readonly port: number };

const FORM = /^(?:\[([^\]]+)\]|([A-Za-z0-9.-]{1,253})):(\d{1,5})$/;

/** Parses `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`. Returns undefined for anything else. */
export function parseHttpAddress(text: string): HttpAddress | undefined {
  const [, v6, name, portText] = FORM.exec(text) ?? [];
  const host = v6 ?? name;
  const port = Number(portText);
  if (host === undefined || port > 65_535) return undefined;
  if (v6 !== undefined) return isIPv6(v6) ? { host, port } : undefined;
  // Digits and dots that are not an IPv4 address are a typo, not a host name.
  return isIPv4(host) || /[A-Za-z]/.test(host) ? { host, port } : undefined;
}

/** Formats an address as it appears in a URL. */
export function formatHttpAddress({ host, port }: HttpAddress): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Returns whether only this machine can reach the host. A name other than `localhost` may resolve to any address,
 * so it does not qualify.
 */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return ipaddr.process(host).range() === 'loopback';
}
