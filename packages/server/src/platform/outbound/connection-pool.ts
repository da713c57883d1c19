import { Client } from 'undici';
import type { Timeouts } from './failure.ts';
import type { VettedConnector } from './vetted-connector.ts';

const MAX_SWEEP_MS = 1000;
const MAX_HEAD_BYTES = 16 * 1024;

/** One connection, or the promise of one: it is made with the first request, and again when it was closed. */
export type Connection = {
  readonly origin: string;
  readonly client: Client;
  readonly createdAtMs: number;
  idleSinceMs: number;
};

/**
 * Keeps idle connections for the next request to the same origin. A connection belongs to one request at a time, so no
 * POST is ever sent behind another whose answer is not there yet, and one that must be cut disturbs nobody.
 *
 * It stands in for undici's Pool and Agent, which connect again after each aborted request, never close an idle HTTP/2
 * connection, and lose sight of the connections of an origin that they have dropped.
 */
export class ConnectionPool {
  readonly #connector: VettedConnector;
  readonly #idleMs: number;
  readonly #lifeMs: number;
  /** The one used last is last. An origin without idle connections has no entry. */
  readonly #idle = new Map<string, Connection[]>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(connector: VettedConnector, { idleMs, lifeMs }: Pick<Timeouts, 'idleMs' | 'lifeMs'>) {
    this.#connector = connector;
    this.#idleMs = idleMs;
    this.#lifeMs = lifeMs;
  }

  /** How many connections wait for a request. */
  get idleCount(): number {
    return [...this.#idle.values()].reduce((count, { length }) => count + length, 0);
  }

  /** Lends a connection for one request. */
  borrow(origin: string): Connection {
    return this.#takeIdle(origin) ?? this.#create(origin);
  }

  /** Takes a connection back whose request has been answered to the end. */
  giveBack(connection: Connection): void {
    const now = performance.now();
    if (now - connection.createdAtMs > this.#lifeMs) {
      this.discard(connection);
      return;
    }
    connection.idleSinceMs = now;
    const idle = this.#idle.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idle.set(connection.origin, [connection]);
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.min(this.#idleMs, MAX_SWEEP_MS)).unref();
  }

  /** Cuts a connection, whatever is under way on it. */
  discard(connection: Connection): void {
    void connection.client.destroy();
  }

  /** Cuts the idle connections and gives up those that are being made. Those lent are for the borrower to discard. */
  async destroy(): Promise<void> {
    clearInterval(this.#sweeper);
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
      // The exchange has a clock of its own, for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const now = performance.now();
    return { origin, client, createdAtMs: now, idleSinceMs: now };
  }

  /** Frees what undici has closed, and closes what it would not. */
  #sweep(): void {
    const oldestMs = performance.now() - this.#idleMs;
    for (const [origin, idle] of this.#idle) {
      const count = idle.findIndex(({ idleSinceMs }) => idleSinceMs > oldestMs);
      for (const { client } of idle.splice(0, count === -1 ? idle.length : count)) void client.destroy();
      if (idle.length === 0) this.#idle.delete(origin);
    }
    if (this.#idle.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
