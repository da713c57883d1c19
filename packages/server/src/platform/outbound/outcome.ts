/** Outcome of a request to a customer's server. Failures are expected: they are returned, never thrown. */
export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as received. */
      readonly retryAfter: string | undefined;
      /** The first bytes of the body as text. */
      readonly excerpt: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      /** `target`: the address may not be called, so a retry is useless. */
      readonly reason: 'target' | 'timeout' | 'connection' | 'tls';
      /** A sentence without a full stop. Contains no secret and no address that was not in the URL. */
      readonly message: string;
      readonly durationMs: number;
    };
