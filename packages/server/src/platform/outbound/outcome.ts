/** What became of a request that the service made to somebody else's server. Failing is normal: it is never thrown. */
export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as it came. */
      readonly retryAfter: string | undefined;
      /** The first bytes of the body as text. */
      readonly excerpt: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      /** `target`: the address is not one that may be called, so trying again is of no use. */
      readonly reason: 'target' | 'timeout' | 'connection' | 'tls';
      /** A sentence without a full stop. Holds no secret and no address that was not in the URL. */
      readonly message: string;
      readonly durationMs: number;
    };
