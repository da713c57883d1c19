import type { Config } from '../../../platform/config/config.ts';
import type { ThreatWindows } from '../../threats/index.ts';

/** Time windows and thresholds of derivation; times in milliseconds. */
export interface DerivationSettings {
  readonly threat: ThreatWindows;
  readonly alertMergeMs: number;
  readonly incidentGapMs: number;
  readonly campaignDevices: number;
  readonly campaignMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function toDerivationSettings(config: Config['derivation']): DerivationSettings {
  return {
    threat: { gapMs: config.threatGapHours * HOUR_MS, spanMs: config.threatSpanDays * DAY_MS },
    alertMergeMs: config.alertMergeMinutes * MINUTE_MS,
    incidentGapMs: config.incidentGapHours * HOUR_MS,
    campaignDevices: config.campaignDevices,
    campaignMs: config.campaignHours * HOUR_MS,
  };
}
