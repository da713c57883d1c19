import { type Action, type Policy, THREAT_CATEGORIES, type ThreatCategory } from '@tps/contract';
import { decide, FALLBACK_POLICIES } from '@tps/contract/decision';
import { THREAT_TYPES } from '@tps/detection';
import { DEVICES, type DeviceSpec, type EventContent } from './devices.ts';
import type { Dice } from './random.ts';
import { DESCRIPTIONS, HOSTILE_TEXTS } from './texts.ts';

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** How often each category occurs among single events. */
const WEIGHTS: Readonly<Record<ThreatCategory, number>> = {
  phishing: 10,
  social_engineering: 6,
  phone_scam: 5,
  malicious_app: 3,
  remote_control: 2,
  deepfake: 1,
};
/** Events of an hour on a working day. */
const HOURS = [1, 0, 0, 0, 1, 1, 2, 4, 6, 7, 7, 6, 5, 6, 6, 5, 4, 3, 2, 2, 1, 1, 1, 1] as const;
/** The present is 3 p.m. of a Friday, so that a population has the same events at any time of any day. */
const PRESENT_HOUR = 15;
const WEEKEND_DAYS_AGO = [5, 6, 12, 13];
const TYPES = Object.entries(THREAT_TYPES);

/** What happens on one device at one time. */
export interface PlannedEvents {
  readonly atMs: number;
  readonly device: DeviceSpec;
  readonly contents: readonly EventContent[];
}

/** Plans what happens from one time to another, oldest first: single events, and a campaign each third day. */
export function planEvents(
  dice: Dice,
  { fromMs, untilMs, policies }: { fromMs: number; untilMs: number; policies: readonly Policy[] },
): PlannedEvents[] {
  const planned: PlannedEvents[] = [];
  for (let hourMs = fromMs; hourMs < untilMs; hourMs += HOUR_MS) {
    const hoursAgo = Math.floor((untilMs - hourMs) / HOUR_MS);
    const hour = (((PRESENT_HOUR - hoursAgo) % 24) + 24) % 24;
    const daysAgo = Math.floor((hoursAgo + 23 - PRESENT_HOUR) / 24);
    const usual = (HOURS[hour] ?? 0) * (WEEKEND_DAYS_AGO.includes(daysAgo) ? 0.3 : 1);
    const count = Math.floor(usual * (0.5 + dice.next()));
    for (let index = 0; index < count; index += 1) {
      const atMs = hourMs + dice.whole(HOUR_MS);
      const device = pickDevice(dice, untilMs - atMs);
      if (atMs < untilMs) planned.push({ atMs, device, contents: [single(dice, device, policies)] });
    }
    if (daysAgo % 3 === 1 && hour === 10) planned.push(...campaign(dice, hourMs, policies));
  }
  return planned.filter(({ atMs }) => atMs < untilMs).sort((one, other) => one.atMs - other.atMs);
}

/** Plans one event of now for most devices, so that they are online. */
export function planPresent(dice: Dice, policies: readonly Policy[]): PlannedEvents[] {
  const present = DEVICES.filter(({ silentForDays = 0, weight }) => silentForDays === 0 && weight > 2);
  return present.map((device) => ({ atMs: 0, device, contents: [single(dice, device, policies)] }));
}

/** A message that reaches several devices within minutes, and some of them twice. */
function campaign(dice: Dice, startMs: number, policies: readonly Policy[]): PlannedEvents[] {
  const category = dice.pick(['phishing', 'social_engineering', 'malicious_app'] as const);
  const indicators = [fileIndicator(dice), `domain:campaign-${dice.whole(900) + 100}.example`];
  const hit = DEVICES.filter(({ silentForDays = 0 }) => silentForDays === 0 && dice.next() < 0.6);
  return hit.map((device, index) => {
    const content = single(dice, device, policies, { category, confidence: 0.8 + dice.next() * 0.19 });
    const contents = Array.from({ length: 1 + dice.whole(2) }, () => ({ ...content, indicators }));
    return { atMs: startMs + index * 180_000 + dice.whole(120_000), device, contents };
  });
}

function single(
  dice: Dice,
  device: DeviceSpec,
  policies: readonly Policy[],
  wanted: { category?: ThreatCategory; confidence?: number } = {},
): EventContent {
  const category = wanted.category ?? pickCategory(dice);
  // Most detections are either weak or strong; few are in between.
  const drawn = dice.next() < 0.35 ? 0.2 + dice.next() * 0.35 : 0.55 + dice.next() * 0.44;
  const confidence = Math.round((wanted.confidence ?? drawn) * 100) / 100;
  const detection = { threatCategory: category, confidence };
  const decision = decide(detection, { policies, fallback: FALLBACK_POLICIES });
  const description = dice.next() < 0.04 ? dice.pick(HOSTILE_TEXTS) : dice.pick(DESCRIPTIONS[category]);
  const types = TYPES.filter(([, type]) => type.category === category);
  return {
    threat_category: category,
    confidence,
    action_taken: decision.action satisfies Action,
    policy_id: decision.policy.policy_id,
    severity: decision.severity,
    description,
    ...(dice.next() < 0.7 ? { indicators: [fileIndicator(dice)] } : {}),
    metadata: {
      agent_version: device.agentVersion,
      model_version: 'shipped-2026.2',
      device_platform: device.platform,
      channel: dice.pick(['sms', 'email', 'call', 'chat', 'web']),
      threat_type: types.length > 0 ? dice.pick(types)[0] : 'suspicious_message',
      findings: [{ detector: 'text-model', confidence, evidence: 'wording of a known scam' }],
    } as NonNullable<EventContent['metadata']>,
  };
}

function fileIndicator(dice: Dice): string {
  const digits = Array.from({ length: 8 }, () => dice.whole(0x100000000).toString(16).padStart(8, '0'));
  return `url:sha256:${digits.join('')}`;
}

function pickDevice(dice: Dice, agoMs: number): DeviceSpec {
  const reporting = DEVICES.filter(({ silentForDays = 0 }) => agoMs >= silentForDays * DAY_MS);
  return pickWeighted(dice, reporting, ({ weight }) => weight);
}

function pickCategory(dice: Dice): ThreatCategory {
  return pickWeighted(dice, THREAT_CATEGORIES, (category) => WEIGHTS[category]);
}

function pickWeighted<Item>(dice: Dice, items: readonly Item[], weightOf: (item: Item) => number): Item {
  const total = items.reduce((sum, item) => sum + weightOf(item), 0);
  let left = dice.next() * total;
  const found = items.find((item) => {
    left -= weightOf(item);
    return left < 0;
  });
  return found ?? dice.pick(items);
}
