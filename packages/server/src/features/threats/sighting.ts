import type { ThreatCategory } from '@tps/contract';

/** Where something that events can have in common was last seen: on which device, in which threat, and when. */
export interface Sighting {
  /** Names the indicator or, for events without any, the policy. */
  readonly correlationKey: string;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly threatId: string;
  /** 0 when corrections have left no event that counts. */
  readonly lastSeenAtMs: number;
}
