/** The file docs/signing-vectors.json. Its members have the names that a reader in any language expects. */
export interface SigningVectors {
  readonly about: string;
  readonly tenant_id: string;
  /** The time of the service, in Unix seconds, at which it accepts the requests. */
  readonly created: number;
  readonly keys: Readonly<Record<KeyName, VectorKey>>;
  /** In the order in which a service accepts them. */
  readonly requests: readonly VectorRequest[];
  readonly refused_requests: readonly RefusedRequest[];
  readonly device_chain: readonly ChainedEvent[];
  readonly feed_chain: FeedChain;
  readonly canonical_json: readonly CanonicalCase[];
  readonly refused_json: readonly RefusedJson[];
}

export const KEY_NAMES = ['rsa', 'p256', 'ed25519', 'ed25519-next'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

export interface VectorKey {
  readonly private_key_pem: string;
  readonly public_key_b64: string;
}

export interface VectorSignature {
  readonly label: string;
  /** The name of the key in `keys`. */
  readonly key: KeyName;
  readonly alg: string;
  readonly keyid: string;
  readonly created: number;
  readonly nonce: string;
  readonly tag: string;
  readonly components: readonly string[];
  readonly base: string;
  readonly signature_b64: string;
}

export interface VectorRequest {
  readonly name: string;
  readonly method: 'POST';
  readonly path: string;
  readonly body: string;
  readonly headers: {
    readonly 'content-digest': string;
    readonly 'signature-input': string;
    readonly signature: string;
  };
  readonly signatures: readonly VectorSignature[];
  /** Undefined where the address of the service has another path. */
  readonly status?: number;
}

export interface RefusedRequest extends VectorRequest {
  readonly status: number;
  readonly code: string;
}

export interface ChainedEvent {
  readonly name: string;
  /** The event as the device sends it. */
  readonly event: Readonly<Record<string, unknown>>;
  /** SHA-256 of its RFC 8785 form: the next event names it. */
  readonly event_hash: string;
  readonly state: string;
}

export interface FeedChain {
  /** The hash before the first event. */
  readonly start: string;
  readonly events: readonly {
    readonly event_id: string;
    /** The RFC 8785 form of the event as it is stored: redacted, with the time in UTC. */
    readonly stored: string;
    readonly event_hash: string;
    readonly chain_hash: string;
  }[];
}

export interface CanonicalCase {
  readonly name: string;
  readonly json: string;
  readonly canonical: string;
  readonly sha256: string;
}

export interface RefusedJson {
  readonly name: string;
  /** The bytes of the value, as `metadata` of an event. */
  readonly metadata_b64: string;
  readonly code: string;
}
