import type { EventMetadata } from '@tps/contract';
import type { DecisionInput } from '@tps/contract/decision';

/** What a detector found, before any policy decides. Unredacted: it stays on the device. */
export interface Detection extends DecisionInput {
  /** For people, at most 4096 characters. */
  readonly description?: string;
  /** Indicators of compromise, at most 64 of at most 512 characters. */
  readonly indicators?: readonly string[];
  /** Further context, at most 4 KiB of JSON. The agent adds its own members. */
  readonly metadata?: EventMetadata;
  /** Version of the model behind the detection. */
  readonly modelVersion?: string;
}
