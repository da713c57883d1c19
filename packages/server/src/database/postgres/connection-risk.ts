import pg from 'pg';
import { isLoopback } from '../../platform/http/http-address.ts';

/** What the driver has made of the URL and of variables such as PGSSLMODE. */
type Ssl = false | true | { readonly rejectUnauthorized?: boolean; readonly checkServerIdentity?: unknown };

/**
 * Returns why others on the network could read or change what passes between the service and PostgreSQL; undefined if
 * they cannot, or if the server is on this machine. The message contains no password.
 */
export function findConnectionRisk(url: string): string | undefined {
  // Opens no connection.
  const client = new pg.Client({ connectionString: url });
  const { host } = client;
  const ssl = client.ssl as Ssl;
  // A path is that of a Unix socket.
  if (host.startsWith('/') || isLoopback(host)) return undefined;
  const advice = 'Add sslmode=verify-full, and sslrootcert for a private authority, to the database URL.';
  if (!ssl)
    return `The connection to PostgreSQL at ${host} is not encrypted: the network can read and change it. ${advice}`;
  const settings = ssl === true ? {} : ssl;
  const isUnverified = settings.rejectUnauthorized === false || settings.checkServerIdentity !== undefined;
  if (!isUnverified) return undefined;
  return `The identity of PostgreSQL at ${host} is not verified: another machine can pose as the server. ${advice}`;
}
