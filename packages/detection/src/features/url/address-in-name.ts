/** Services that resolve a name to the address in it, by their own documentation. */
const RESOLVES = /^(?:.+[.-])?((?:\d{1,3}[.-]){3}\d{1,3}|[0-9a-f]{8})\.(?:nip\.io|sslip\.io|xip\.io)$/;
/** The names that providers give to the machines of their customers: the address, in one order or the other. */
const OF_PROVIDER =
  /^(?:(?:static|host|ip|ec2|vps|dyn|dynamic|dsl|pool|cpe|cust|customer|client|rev|ptr|unn|broadband|adsl|cable)[.-]?)?((?:\d{1,3}[.-]){3}\d{1,3})[.-](?:[\w-]+\.)*(?:clients|static|dynamic|dyn|dip|pool|pools|dsl|adsl|rev|ptr|host|hosts|cust|customer|broadband|cable|ip|vps|compute-1|compute|in-addr)\.(?:[\w-]+\.)+[a-z]{2,}$/;
const REVERSED = /\.(?:clients\.your-server\.de|in-addr\.[\w.-]+|rev\.[\w.-]+)$/;

/** Returns the IPv4 address that a host contains and leads to: `203.0.113.5.nip.io`. */
export function addressInName(host: string): string | undefined {
  const [, resolved] = RESOLVES.exec(host) ?? [];
  if (resolved !== undefined) return toAddress(resolved);
  const [, named] = OF_PROVIDER.exec(host) ?? [];
  if (named === undefined) return undefined;
  const address = toAddress(named);
  return REVERSED.test(host) ? address?.split('.').reverse().join('.') : address;
}

function toAddress(written: string): string | undefined {
  const octets = /^[0-9a-f]{8}$/.test(written)
    ? (written.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
    : written.split(/[.-]/).map(Number);
  return octets.length === 4 && octets.every((octet) => octet <= 255) ? octets.join('.') : undefined;
}
