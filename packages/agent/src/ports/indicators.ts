import type { IndicatorStore } from '@tps/detection/indicators';
import type { Outcome } from './transport.ts';

/** Holds the tenant's indicators, as the service gives them to devices. */
export interface AgentIndicators {
  /** What holds now: without anything in it until the first bundle has come, and once the last one has run out. */
  readonly store: IndicatorStore;
  readonly state: IndicatorsState;
  /** Asks the service. False when it did not answer, or refused, or gave what is not to be trusted: what is known goes on holding. */
  refresh(signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

export interface IndicatorsState {
  readonly count: number;
  /** Of the bundle; undefined while there is none. */
  readonly version: number | undefined;
  /** RFC 3339; when the service last confirmed it. */
  readonly confirmedAt: string | undefined;
  /** Why the last bundle that came was not taken, as a code; undefined when it was. */
  readonly refused: string | undefined;
}

/** The way to the indicators of the service. Never throws for what a network or a service does. */
export interface IndicatorTransport {
  /** Reads the signed bundle. `etag` is that of the answer at hand; the same again is `unchanged`. */
  fetchIndicatorBundle(etag: string | undefined, signal: AbortSignal): Promise<Outcome<FetchedBundle>>;
  /** Reads the public keys that bundles are signed with: SubjectPublicKeyInfo in DER, standard base64. */
  fetchIndicatorKeys(signal: AbortSignal): Promise<Outcome<readonly string[]>>;
}

export type FetchedBundle =
  | { readonly kind: 'unchanged' }
  /** As parsed from JSON: nothing of it has been checked. */
  | { readonly kind: 'changed'; readonly envelope: unknown; readonly etag: string | undefined };

/** Where there is nothing to look up in. */
export const NO_INDICATORS: IndicatorStore = { size: 0, sizeBytes: 0, find: () => [] };
