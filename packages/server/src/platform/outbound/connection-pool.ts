import { Client } from 'undici';
import type { Timeouts } from './failure.ts';
import type { VettedConnector } from './vetted-connector.ts';

const MAX_IDLE_CHECK_MS = 1000;
const MAX_HEAD_BYTES = 16 * 1024;

/** One connection. It opens with the first request, and again after it was closed. */
export type Connection = {
  readonly origin: string;
  readonly client: Client;
  readonly createdAtMs: number;
  idleSinceMs: number;
};

/**
 * Keeps idle connections for the next request to the same origin. A connection serves one request at a time, so no
 * POST is ever queued behind an unanswered one, and cutting a connection affects only its own request.
 *
 * Used instead of undici's Pool and Agent, which reconnect after each aborted request, never close an idle HTTP/2
 * connection, and lose track of the connections of an origin that they have dropped.
 */
export class ConnectionPool {
  readonly #connector: VettedConnector;
  readonly #idleMs: number;
  readonly #lifeMs: number;
  /** Most recently used last. An origin without idle connections has no entry. */
  readonly #idle = new Map<string, Connection[]>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(connector: VettedConnector, { idleMs, lifeMs }: Pick<Timeouts, 'idleMs' | 'lifeMs'>) {
    this.#connector = connector;
    this.#idleMs = idleMs;
    this.#lifeMs = lifeMs;
  }

  /** How many connections are idle. */
  get idleCount(): number {
    return [...this.#idle.values()].reduce((count, { length }) => count + length, 0);
  }

  /** Lends a connection for one request. */
  borrow(origin: string): Connection {
    return this.#takeIdle(origin) ?? this.#create(origin);
  }

  /** Takes back a connection whose response has been read to the end. */
  release(connection: Connection): void {
    const now = performance.now();
    if (now - connection.createdAtMs > this.#lifeMs) {
      this.discard(connection);
      return;
    }
    connection.idleSinceMs = now;
    const idle = this.#idle.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idle.set(connection.origin, [connection]);
    this.#idleTimer ??= setInterval(
      () => this.#closeIdle(),
      Math.min(this.#idleMs, MAX_IDLE_CHECK_MS),
    ).unref();
  }

  /** Closes a connection, even while a request is using it. */
  discard(connection: Connection): void {
    void connection.client.destroy();
  }

  /** Closes the idle connections and aborts those being opened. Borrowers discard the ones in use. */
  async destroy(): Promise<void> {
    clearInterval(this.#idleTimer);
    const idle = [...this.#idle.values()].flat();
    this.#idle.clear();
    this.#connector.abandon();
    await Promise.all(idle.map(({ client }) => client.destroy()));
  }

  #takeIdle(origin: string): Connection | undefined {
    const idle = this.#idle.get(origin);
    const connection = idle?.pop();
    if (idle?.length === 0) this.#idle.delete(origin);
    return connection;
  }

  #create(origin: string): Connection {
    const client = new Client(origin, {
      connect: this.#connector.connect,
      allowH2: true,
      pipelining: 1,
      keepAliveTimeout: this.#idleMs,
      keepAliveMaxTimeout: this.#idleMs,
      maxHeaderSize: MAX_HEAD_BYTES,
      // The exchange has one timeout for the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const now = performance.now();
    return { origin, client, createdAtMs: now, idleSinceMs: now };
  }

  /** Drops connections that undici has closed, and closes those that it would keep. */
  #closeIdle(): void {
    const oldestMs = performance.now() - this.#idleMs;
    for (const [origin, idle] of this.#idle) {
      const count = idle.findIndex(({ idleSinceMs }) => idleSinceMs > oldestMs);
      for (const { client } of idle.splice(0, count === -1 ? idle.length : count)) void client.destroy();
      if (idle.length === 0) this.#idle.delete(origin);
    }
    if (this.#idle.size > 0) return;
    clearInterval(this.#idleTimer);
    this.#idleTimer = undefined;
  }
}
