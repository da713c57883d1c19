import type { Action, EventMetadata, Policy, Severity, ThreatCategory } from '@tps/contract';

/** What a detector found, before any policy decides. Unredacted: it stays on the device. */
export interface Detection {
  readonly threatCategory: ThreatCategory;
  /** Calibrated certainty, 0 to 1. */
  readonly confidence: number;
  /** How severe the threat is if the detection is correct. Without one, category and confidence determine it. */
  readonly severity?: Severity;
  /** For people, at most 4096 characters. */
  readonly description?: string;
  /** Indicators of compromise, at most 64 of at most 512 characters. */
  readonly indicators?: readonly string[];
  /** Further context, at most 4 KiB of JSON. The agent adds its own members. */
  readonly metadata?: EventMetadata;
  /** Version of the model behind the detection. */
  readonly modelVersion?: string;
}

/** What the policies decided on a detection. */
export interface Decision {
  readonly action: Action;
  readonly severity: Severity;
  readonly confidence: number;
  /** The policy that decided. */
  readonly policy: Pick<Policy, 'policy_id' | 'name' | 'version'>;
  /** One sentence for each policy considered, in order of precedence: why it did or did not decide. */
  readonly reasons: readonly string[];
}
