import type { IndicatorIndex } from '@tps/detection/indicators';
import type { CurrentTag, TransportOutcome } from './transport.ts';

/** The tenant's indicators, as the service publishes them for devices. */
export interface AgentIndicators {
  /** The indicators in force. Empty before the first bundle has arrived and after the last one has expired. */
  readonly index: IndicatorIndex;
  readonly state: IndicatorsState;
  /**
   * Asks the service. False when it did not answer, refused, or sent a bundle that cannot be trusted; the indicators known
   * so far then stay in force. If the last trusted bundle has the current tag, that confirms it without a request.
   */
  refresh(signal: AbortSignal, current?: CurrentTag): Promise<boolean>;
  close(): Promise<void>;
}

/** The state of the indicators, for `health()`. */
export interface IndicatorsState {
  readonly count: number;
  /** Version of the bundle in force; undefined without one. */
  readonly version: number | undefined;
  /** RFC 3339; when the service last confirmed the bundle. */
  readonly confirmedAt: string | undefined;
  /** A code for why the last bundle was rejected, or why none can be accepted; undefined when it was accepted. */
  readonly refused: string | undefined;
}

/** Requests for the service's indicators. Network and service failures are outcomes, not exceptions. */
export interface IndicatorTransport {
  /** Fetches the signed bundle. `etag` is that of the last answer; if it still matches, the answer is `unchanged`. */
  fetchIndicatorBundle(
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<TransportOutcome<FetchedBundle>>;
  /** Fetches the public keys that bundles are signed with: SubjectPublicKeyInfo in DER, standard base64. */
  fetchIndicatorKeys(signal: AbortSignal): Promise<TransportOutcome<readonly string[]>>;
}

/** The signed bundle, unless it still has the given tag. */
export type FetchedBundle =
  | { readonly kind: 'unchanged' }
  /** `envelope` is parsed JSON; nothing in it has been verified. */
  | { readonly kind: 'changed'; readonly envelope: unknown; readonly etag: string | undefined };

/** An empty index. */
export const NO_INDICATORS: IndicatorIndex = { size: 0, sizeBytes: 0, find: () => [] };
