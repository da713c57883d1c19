import { createHash, randomBytes } from 'node:crypto';
import type { Event } from '@tps/contract';
import { createEvent } from '@tps/simulator';

const CATEGORIES = [
  'phishing',
  'phone_scam',
  'malicious_app',
  'social_engineering',
  'phishing',
  'remote_control',
  'phishing',
  'deepfake',
] as const;
const SEVERITIES = ['low', 'medium', 'high', 'medium', 'high', 'low', 'medium', 'critical'] as const;
/** Out of twenty decisions three allow, seven warn and ten block. */
const ACTIONS = [...Array(3).fill('allow'), ...Array(7).fill('warn'), ...Array(10).fill('block')] as const;

/** About 200 characters each, as a detector on a device writes them. They contain nothing to redact. */
const CLEAN = [
  'The app requested the accessibility permission and drew an overlay above the banking screen while a call with an unknown party was active. The session was stopped and the user was warned at once. Score 0.97.',
  'Trojan dropper found in com.example.flashlight, signature YARA_Android_Banker_2024 matched twice, severity high. The installer came from outside the store and asked for device administration right after.',
  'Text message announces a parcel and asks for a small customs fee. The link leads to a page registered three days ago; the page copies a well known courier service and asks for the card number and the PIN.',
  'Remote control session started during a voice call. The screen showed an online banking form and an amount of 1,250.00 EUR was entered by the remote side. Action: block, confidence 0.93, model 2.4.1, tries 0.',
];
/** The same, with personal data. */
const PERSONAL = [
  'Caller on +49 151 12345678 claimed to be from the bank and asked the user to install a tool and to read out the code from the next text message. The call was ended after the second warning. Score 0.91 of 1.',
  'Message from jane.doe@example.com with the link https://secure-login.example.com/verify?id=1 was blocked. The page copies the sign-in form of a well known mail provider and was registered three days ago, twice.',
  'This is Peter Miller from Technical Support, call 020 7946 0958 said the voice, which was judged to be synthetic with high certainty. The user was asked to confirm a transfer and was warned before doing so now.',
  'Connection to 203.0.113.77 and 2001:db8:1:2::77 after the app had started. Both addresses are known for command and control of banking trojans; the traffic was stopped and the app put into quarantine at once.',
];

/** Indicators that many devices report: they make up campaigns. */
const SHARED_INDICATORS = 200;

/**
 * Creates the event with this number: categories, severities and actions in a realistic mix, and one description in five
 * with something to redact. Out of ten events two have a shared indicator, six have their own, one has both, one none.
 */
export function sampleEvent(
  index: number,
  { tenantId, deviceId, nowMs }: { tenantId: string; deviceId: string; nowMs: number },
): Event {
  const content: Partial<Event> = {
    timestamp: new Date(nowMs).toISOString(),
    threat_category: at(CATEGORIES, index * 3),
    confidence: 0.5 + (index % 50) / 100,
    action_taken: at(ACTIONS, index * 7) as Event['action_taken'],
    policy_id: `pol_default-${index % 12}`,
    severity: at(SEVERITIES, index * 5),
    description: index % 5 === 0 ? at(PERSONAL, index / 5) : at(CLEAN, index),
    indicators: toIndicators(index),
    metadata: { agent_version: '2.4.1', model_version: 'm-2026.02', device_platform: 'android' },
  };
  return createEvent({ tenantId, deviceId }, content);
}

function toIndicators(index: number): string[] {
  const kind = Math.floor(index / 3) % 10;
  const shared = `sha256:${createHash('sha256')
    .update(`shared ${index % SHARED_INDICATORS}`)
    .digest('hex')}`;
  const own = `sha256:${randomBytes(32).toString('hex')}`;
  if (kind < 2) return [shared];
  if (kind < 8) return [own];
  return kind === 8 ? [shared, own] : [];
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[Math.floor(index) % values.length];
  if (value === undefined) throw new Error('the list of samples is empty');
  return value;
}
