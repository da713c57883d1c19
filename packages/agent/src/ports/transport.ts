import type {
  Device,
  DeviceCredential,
  Event,
  EventBatchResult,
  Policy,
  RegisteredDevice,
} from '@tps/contract';
import type { DeviceKey } from './keys.ts';

/** Requests to the service. Network and service failures are outcomes, not exceptions. */
export interface AgentTransport {
  /** Registers the device under a key, with proof of possession. Uses the enrolment credential if one was given. */
  register(registration: Registration, signal: AbortSignal): Promise<TransportOutcome<RegisteredDevice>>;
  /** Sends 1 to 500 events, as they are, under one signature. */
  sendEvents(
    upload: SignedUpload,
    signal: AbortSignal,
  ): Promise<TransportOutcome<readonly EventBatchResult[]>>;
  /** Replaces the old key with the next one. The request is signed by both. */
  rotateKey(rotation: KeyRotation, signal: AbortSignal): Promise<TransportOutcome<Device>>;
  /** Reads this device as the service knows it. Needed only for a device with its own credential. */
  readDevice?(signal: AbortSignal): Promise<TransportOutcome<Device>>;
  /** Asks for the next credential of this device. Needed only for a device with its own credential. */
  renewCredential?(renewal: Renewal, signal: AbortSignal): Promise<TransportOutcome<DeviceCredential>>;
  /**
   * Fetches the tags that policies and indicators have now. `etag` is that of the last answer; if it still matches, the
   * answer is `unchanged`. Without this request, the agent asks for policies and indicators separately.
   */
  fetchUpdates?(etag: string | undefined, signal: AbortSignal): Promise<TransportOutcome<FetchedUpdates>>;
  /** Fetches the tenant's policies. `etag` is that of the last answer; if it still matches, the answer is `unchanged`. */
  fetchPolicies(etag: string | undefined, signal: AbortSignal): Promise<TransportOutcome<FetchedPolicies>>;
}

/** A request that the device signs. */
interface SignedCall {
  /** The time of the signature (`created` of RFC 9421), in Unix milliseconds. Follows the service's clock if it is known. */
  readonly signedAtMs: number;
}

/** What a device sends to register. */
export interface Registration extends SignedCall {
  readonly key: DeviceKey;
  readonly platform: Device['platform'];
  readonly name?: string;
  readonly agentVersion?: string;
}

/** The key that signs for the next credential. */
export interface Renewal extends SignedCall {
  readonly key: DeviceKey;
}

/** 1 to 500 sealed events and the key that signs the request. */
export interface SignedUpload extends SignedCall {
  readonly events: readonly Event[];
  readonly key: DeviceKey;
}

/** The two keys of a rotation, which both sign the request. */
export interface KeyRotation extends SignedCall {
  readonly old: DeviceKey;
  readonly next: DeviceKey;
}

/** The tenant's policies, or `unchanged` if they still have the given tag. */
export type FetchedPolicies =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly policies: readonly Policy[]; readonly etag: string | undefined };

/** The tags that policies and indicators have now; undefined for one that has to be asked for each time. */
export interface UpdateTags {
  readonly policies: string | undefined;
  readonly indicators: string | undefined;
}

/** The tags of what the device follows, or `unchanged` if they still have the given tag. */
export type FetchedUpdates =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly tags: UpdateTags; readonly etag: string | undefined };

/** The tag that policies or indicators have now, by an answer of the service just received. */
export interface CurrentTag {
  readonly etag: string;
  /** The service's clock at that answer. */
  readonly serviceTimeMs: number | undefined;
}

/** How a request to the service ended. */
export type TransportOutcome<Body> =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Body;
      /** The service's clock, from the Date header; undefined if the answer has none. */
      readonly serviceTimeMs: number | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The API's error code; undefined when the answer is not from the API, such as a proxy's. */
      readonly code: string | undefined;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
      readonly serviceTimeMs: number | undefined;
    }
  /** No answer: it is unknown whether the request took effect. */
  | { readonly kind: 'unreachable'; readonly message: string };
