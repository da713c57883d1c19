import type { ThreatCategory } from '@tps/contract';

/** When something that events can have in common was last seen on a device, and in which threat. */
export interface Sighting {
  /** The key of the indicator or, for events without any, of the policy. */
  readonly correlationKey: string;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly threatId: string;
  /** 0 when, after corrections, no event counts any more. */
  readonly lastSeenAtMs: number;
}
