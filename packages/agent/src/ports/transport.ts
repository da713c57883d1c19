import type { Device, Event, EventBatchResult, Policy } from '@tps/contract';
import type { DeviceKey } from '../node/keys/software-key.ts';

/** The way to the service. Never throws for what a network or a service does: each call gives an outcome. */
export interface AgentTransport {
  /** Makes the device known under a key, proving possession of it. Uses the enrolment credential where one is given. */
  register(registration: Registration, signal: AbortSignal): Promise<Outcome<Device>>;
  /** Sends 1 to 500 events, as they are, under one signature. */
  sendEvents(sending: SignedUpload, signal: AbortSignal): Promise<Outcome<readonly EventBatchResult[]>>;
  /** Puts a new key in place of the old one; signed by both. */
  rotateKey(keys: { old: DeviceKey; next: DeviceKey }, signal: AbortSignal): Promise<Outcome<Device>>;
  /** Reads the tenant's policies. `etag` is that of the answer at hand; the same again is `unchanged`. */
  fetchPolicies(etag: string | undefined, signal: AbortSignal): Promise<Outcome<FetchedPolicies>>;
}

export interface Registration {
  readonly key: DeviceKey;
  readonly platform: Device['platform'];
  readonly name?: string;
  readonly agentVersion?: string;
}

export interface SignedUpload {
  readonly events: readonly Event[];
  readonly key: DeviceKey;
}

export type FetchedPolicies =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly policies: readonly Policy[]; readonly etag: string | undefined };

/** What came of a call. */
export type Outcome<Body> =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Body;
      /** The service's clock, from the Date header; undefined where the answer has none. */
      readonly serviceTimeMs: number | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The API's error code; undefined when the answer is not the API's, such as that of a proxy. */
      readonly code: string | undefined;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
      readonly serviceTimeMs: number | undefined;
    }
  /** No answer: whether the request took effect is unknown. */
  | { readonly kind: 'unreachable'; readonly message: string };
