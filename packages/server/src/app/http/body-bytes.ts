import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../platform/service-error.ts';

/**
 * The bytes of bodies that a tenant may have in this process at a time. Each body is in memory until its request is
 * answered, and a client can take minutes to send one: without this, one tenant could send 120 scans of 16 MiB at once.
 */
export class BodyBytes {
  readonly #limitBytes: number;
  /** Only tenants with a body. */
  readonly #held = new Map<string, number>();
  readonly #bodies = new WeakMap<FastifyRequest, { holder: string; bytes: number }>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Counts the body of a request before it is read, until it is released, the response is sent or the connection ends. A
   * body of unknown length counts as the largest.
   * @throws ServiceError `rate_limited` if the tenant has too many bytes of bodies already
   */
  hold(request: FastifyRequest, { raw }: FastifyReply): void {
    const { caller, headers, routeOptions } = request;
    // The client left while its request was admitted: nothing is read, and the event `close` is in the past.
    if (raw.closed) return;
    const largest = routeOptions.bodyLimit ?? 0;
    // A longer body is refused for its length before it is read.
    const bytes = Math.min(Number(headers['content-length'] ?? largest), largest);
    const holder = caller?.tenantId ?? caller?.tokenId ?? '';
    const held = this.#held.get(holder) ?? 0;
    if (held > 0 && held + bytes > this.#limitBytes) {
      const message = `The bodies of requests in progress have ${held} bytes. The limit of a tenant is ${this.#limitBytes}: wait for responses`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: 1 });
    }
    this.#held.set(holder, held + bytes);
    this.#bodies.set(request, { holder, bytes });
    raw.once('close', () => this.release(request));
  }

  /** Counts the body of a request no longer. */
  release(request: FastifyRequest): void {
    const body = this.#bodies.get(request);
    if (!body) return;
    this.#bodies.delete(request);
    const left = (this.#held.get(body.holder) ?? 0) - body.bytes;
    if (left > 0) this.#held.set(body.holder, left);
    else this.#held.delete(body.holder);
  }
}
