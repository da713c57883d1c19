import type { HttpAddress } from '../http/http-address.ts';
import { type AddressRules, isAllowedAddress, type Network } from './allowed-networks.ts';
import { ConnectionPool } from './connection-pool.ts';
import { ABORTED, type Timeouts, toFailure } from './failure.ts';
import { exchange, type FetchRequest } from './fetch-exchange.ts';
import type { PostOutcome } from './outcome.ts';
import { PostExchange } from './post-exchange.ts';
import { createResolver, HostUnresolvedError, type ResolveHost } from './resolve-host.ts';
import { TargetRejectedError } from './target-rejected-error.ts';
import { bareHost, parseTargetUrl } from './target-url.ts';
import { createVettedConnector, resolveVetted } from './vetted-connector.ts';

/** Idle connections are closed before most receivers close them, which would fail the request being sent. */
const TIMEOUTS: Timeouts = { connectMs: 3000, answerMs: 10_000, idleMs: 4000, lifeMs: 300_000 };

export type OutboundClientOptions = {
  /** Whether this machine may be called, also over plain HTTP. */
  readonly allowInsecureTargets: boolean;
  /** Networks beside the public ones that may be called. */
  readonly allowedNetworks?: readonly Network[];
  /** PEM certificates that are trusted in addition to the public roots. */
  readonly ca?: string;
  /** Name servers to use instead of the system's. */
  readonly dnsServers?: readonly HttpAddress[];
  /** Replaces some of the timeouts. */
  readonly timeouts?: Partial<Timeouts>;
};

export type PostRequest = {
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
};

/**
 * Calls URLs supplied by customers without exposing the service's own network (SSRF): only public addresses, and
 * those of networks that the operator has named, are called, checked as written, as resolved and as connected; redirects are not followed, proxies are not used, and
 * no receiver can hold a request past its deadline or make it read more than 64 KiB. The caller bounds how many
 * requests run at once.
 */
export class OutboundClient {
  readonly #rules: AddressRules;
  readonly #timeouts: Timeouts;
  readonly #resolve: ResolveHost;
  readonly #isAllowed: (address: string) => boolean;
  readonly #connections: ConnectionPool;
  readonly #underWay = new Set<PostExchange>();
  readonly #closing = new AbortController();
  #fetches = 0;

  constructor(options: OutboundClientOptions) {
    const { allowInsecureTargets, allowedNetworks = [], ca, dnsServers, timeouts } = options;
    this.#rules = { allowInsecure: allowInsecureTargets, allowedNetworks };
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#resolve = createResolver(dnsServers ? { dnsServers } : {});
    this.#isAllowed = (address) => isAllowedAddress(address, this.#rules);
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
   * Checks whether the URL may be called at this moment. Contacts only the name server.
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

  /** Sends a POST request and returns its outcome. Never throws, and never follows a redirect. */
  post(url: string, { headers, body }: PostRequest): Promise<PostOutcome> {
    let target: URL;
    try {
      target = parseTargetUrl(url, this.#rules);
    } catch (error) {
      return Promise.resolve({ kind: 'failed', ...toFailure(error, this.#timeouts), durationMs: 0 });
    }
    if (this.#closing.signal.aborted) return Promise.resolve({ kind: 'failed', ...ABORTED, durationMs: 0 });
    return new Promise((resolve) => {
      const connection = this.#connections.borrow(target.origin);
      const onSettled = (outcome: PostOutcome, isComplete: boolean) => {
        this.#underWay.delete(exchange);
        if (isComplete) this.#connections.release(connection);
        else this.#connections.discard(connection);
        resolve(outcome);
      };
      const exchange = new PostExchange({ timeouts: this.#timeouts, onSettled });
      this.#underWay.add(exchange);
      const path = `${target.pathname}${target.search}`;
      connection.client.dispatch({ method: 'POST', path, headers, body }, exchange);
    });
  }

  /**
   * Makes a request for a library that speaks a protocol through `fetch`. The response is complete, at most 256 KiB; a
   * redirect is a response.
   * @throws TargetRejectedError, or another error if there is no complete response before the deadline
   */
  async fetch(url: string, request: FetchRequest): Promise<Response> {
    const target = parseTargetUrl(url, this.#rules);
    this.#closing.signal.throwIfAborted();
    const connection = this.#connections.borrow(target.origin);
    this.#fetches += 1;
    try {
      const { answerMs } = this.#timeouts;
      const options = { target, request, answerMs, closing: this.#closing.signal };
      const response = await exchange(connection.client, options);
      this.#connections.release(connection);
      return response;
    } catch (error) {
      this.#connections.discard(connection);
      throw error;
    } finally {
      this.#fetches -= 1;
    }
  }

  /** How many requests are under way, and how many connections are idle. */
  get load(): { readonly requests: number; readonly idleConnections: number } {
    const requests = this.#underWay.size + this.#fetches;
    return { requests, idleConnections: this.#connections.idleCount };
  }

  /** Aborts the requests under way, which resolve as failed connections, and closes every connection. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const exchange of [...this.#underWay]) exchange.abort();
    await this.#connections.destroy();
  }
}
