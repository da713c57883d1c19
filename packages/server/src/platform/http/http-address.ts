import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where a listener binds. `host` is bare: no brackets around an IPv6 address. Port 0 is any free one. */
export type HttpAddress = { readonly host: string; readonly port: number };

const FORM = /^(?:\[([^\]]+)\]|([A-Za-z0-9.-]{1,253})):(\d{1,5})$/;

/** Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`. Undefined for anything else. */
export function parseHttpAddress(text: string): HttpAddress | undefined {
  const [, v6, name, portText] = FORM.exec(text) ?? [];
  const host = v6 ?? name;
  const port = Number(portText);
  if (host === undefined || port > 65_535) return undefined;
  if (v6 !== undefined) return isIPv6(v6) ? { host, port } : undefined;
  // A name of digits and dots that is no address is a slip of the pen, not a host.
  return isIPv4(host) || /[A-Za-z]/.test(host) ? { host, port } : undefined;
}

/** Writes an address as it stands in a URL. */
export function formatHttpAddress({ host, port }: HttpAddress): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Whether only this machine can reach the host. A name other than `localhost` may resolve anywhere: it is not. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return ipaddr.process(host).range() === 'loopback';
}
