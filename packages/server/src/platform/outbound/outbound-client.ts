import type { HttpAddress } from '../http/http-address.ts';
import { ConnectionPool } from './connection-pool.ts';
import { ABORTED, type Timeouts, toFailure } from './failure.ts';
import { isLoopbackAddress } from './loopback.ts';
import type { PostOutcome } from './outcome.ts';
import { PostExchange } from './post-exchange.ts';
import { isPublicAddress } from './public-address.ts';
import { createResolver, HostUnresolvedError, type ResolveHost } from './resolve-host.ts';
import { TargetRejectedError } from './target-rejected-error.ts';
import { bareHost, parseTargetUrl } from './target-url.ts';
import { createVettedConnector, resolveVetted } from './vetted-connector.ts';

/** Connections are closed before most receivers do it themselves, which would cost the request that is just sent. */
const TIMEOUTS: Timeouts = { connectMs: 3000, answerMs: 10_000, idleMs: 4000, lifeMs: 300_000 };

export type OutboundClientOptions = {
  /** Whether this machine may be called, also over plain HTTP. Private and link-local addresses may never be. */
  readonly allowInsecureTargets: boolean;
  /** Certificates in PEM that are trusted beside the public roots. */
  readonly ca?: string;
  /** Asked instead of the operating system. */
  readonly dnsServers?: readonly HttpAddress[];
  /** For tests, and for callers in a hurry. */
  readonly timeouts?: Partial<Timeouts>;
};

export type PostRequest = {
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
};

/**
 * Calls URLs that customers gave, without being turned against the network it stands in: only public addresses, checked
 * as written, as resolved and as connected; no redirect is followed, no proxy is used, and no receiver can hold a request
 * longer than its deadline or make it read more than a little. The caller bounds how many requests run at once.
 */
export class OutboundClient {
  readonly #rules: { readonly allowInsecure: boolean };
  readonly #timeouts: Timeouts;
  readonly #resolve: ResolveHost;
  readonly #isAllowed: (address: string) => boolean;
  readonly #connections: ConnectionPool;
  readonly #underWay = new Set<PostExchange>();
  #isClosed = false;

  constructor({ allowInsecureTargets, ca, dnsServers, timeouts }: OutboundClientOptions) {
    this.#rules = { allowInsecure: allowInsecureTargets };
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#resolve = createResolver(dnsServers ? { dnsServers } : {});
    this.#isAllowed = allowInsecureTargets
      ? (address) => isPublicAddress(address) || isLoopbackAddress(address)
      : isPublicAddress;
    this.#connections = new ConnectionPool(
      createVettedConnector({
        resolve: this.#resolve,
        isAllowed: this.#isAllowed,
        connectMs: this.#timeouts.connectMs,
        ca,
      }),
      this.#timeouts,
    );
  }

  /**
   * Passes when the URL may be called at this moment. Calls nobody but the name server.
   * @throws TargetRejectedError
   */
  async checkTarget(url: string): Promise<void> {
    const host = bareHost(parseTargetUrl(url, this.#rules));
    try {
      await resolveVetted(host, { resolve: this.#resolve, isAllowed: this.#isAllowed });
    } catch (error) {
      if (!(error instanceof HostUnresolvedError)) throw error;
      throw new TargetRejectedError('the host of the URL could not be resolved', { cause: error });
    }
  }

  /** Sends a POST request and says what became of it. Never throws, and never follows a redirect. */
  post(url: string, { headers, body }: PostRequest): Promise<PostOutcome> {
    let target: URL;
    try {
      target = parseTargetUrl(url, this.#rules);
    } catch (error) {
      return Promise.resolve({ kind: 'failed', ...toFailure(error, this.#timeouts), durationMs: 0 });
    }
    if (this.#isClosed) return Promise.resolve({ kind: 'failed', ...ABORTED, durationMs: 0 });
    return new Promise((resolve) => {
      const connection = this.#connections.borrow(target.origin);
      const onSettled = (outcome: PostOutcome, isComplete: boolean) => {
        this.#underWay.delete(exchange);
        if (isComplete) this.#connections.giveBack(connection);
        else this.#connections.discard(connection);
        resolve(outcome);
      };
      const exchange = new PostExchange({ timeouts: this.#timeouts, onSettled });
      this.#underWay.add(exchange);
      const path = `${target.pathname}${target.search}`;
      connection.client.dispatch({ method: 'POST', path, headers, body }, exchange);
    });
  }

  /** How many requests are under way, and how many connections wait for one. */
  get load(): { readonly requests: number; readonly idleConnections: number } {
    return { requests: this.#underWay.size, idleConnections: this.#connections.idleCount };
  }

  /** Aborts what is under way, which resolves as a failed connection, and cuts every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const exchange of [...this.#underWay]) exchange.abort();
    await this.#connections.destroy();
  }
}
