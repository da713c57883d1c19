import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { formatHttpAddress, type HttpAddress } from '../http/http-address.ts';
import { isLocalhost } from './loopback.ts';
import { TargetRejectedError } from './target-rejected-error.ts';

const TIMEOUT_MS = 3000;
/** Real hosts have a handful. More suggests an attack. */
const MAX_ADDRESSES = 32;

/** A host whose addresses could not be found, perhaps only for now. */
export class HostUnresolvedError extends Error {
  override readonly name = 'HostUnresolvedError';
}

/** Returns all addresses of a host, at least one. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Creates a resolver that queries the system's name servers, or the given ones; it does not read the hosts file. It
 * throws {@link HostUnresolvedError} when there is no answer within 3 s, and TargetRejectedError for more than 32
 * addresses. Concurrent calls for the same host share one query; nothing is cached, so that an address is as fresh
 * as its check.
 */
export function createResolver(options: { readonly dnsServers?: readonly HttpAddress[] }): ResolveHost {
  const ask = askServers(options.dnsServers ?? []);
  const underWay = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    if (isIP(hostname) !== 0) return Promise.resolve([hostname]);
    // RFC 6761, section 6.3: never query a name server for these.
    if (isLocalhost(hostname)) return Promise.resolve(['127.0.0.1', '::1']);
    let answer = underWay.get(hostname);
    if (!answer) {
      answer = bounded(ask(hostname)).finally(() => underWay.delete(hostname));
      underWay.set(hostname, answer);
    }
    return answer;
  };
}

/**
 * Queries over the network, never through `getaddrinfo`: that blocks a pool thread for as long as a name server is
 * silent, and two such names blocked every other lookup of the process until it failed.
 */
function askServers(servers: readonly HttpAddress[]): (hostname: string) => Promise<string[]> {
  // The second try waits twice as long as the first.
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS / 3, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers.map(formatHttpAddress));
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

async function bounded(asked: Promise<string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostUnresolvedError('no answer in time')), TIMEOUT_MS);
  });
  try {
    const addresses = await Promise.race([asked, late]);
    if (addresses.length === 0) throw new HostUnresolvedError('no addresses');
    if (addresses.length > MAX_ADDRESSES) {
      throw new TargetRejectedError(`the host of the URL has more than ${MAX_ADDRESSES} addresses`);
    }
    return addresses;
  } catch (error) {
    if (error instanceof TargetRejectedError || error instanceof HostUnresolvedError) throw error;
    throw new HostUnresolvedError('the lookup failed', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
