import type { Event } from '@tps/client';
import fc from 'fast-check';

const HOSTILE = [
  '|',
  '\\',
  '=',
  '\n',
  '\r\n',
  '\u2028',
  '\u0000',
  '"',
  "'",
  ']',
  'é',
  '😀',
  '\ud83d',
  ' act=allow',
];

/** Text as an attacker might write it. */
const text = (maxLength: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 8 })), {
      maxLength: 40,
    })
    .map((parts) => parts.join('').slice(0, maxLength));

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const id = (prefix: string) => fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).map((body) => `${prefix}_${body}`);

const indicator = fc.oneof(
  text(512).filter((value) => value !== ''),
  hex(64),
  hex(40),
  hex(32),
  hex(64).map((hash) => `url:sha256:${hash}`),
  fc.ipV4().map((address) => `${address.replace(/\d+$/, '0')}/24`),
  fc.ipV6(),
  fc.domain().map((domain) => `sender-domain:${domain}`),
);

/** Any event that the service can store, and some that it would reject. */
export const arbitraryEvent: fc.Arbitrary<Event> = fc.record(
  {
    event_id: id('evt'),
    type: fc.constant('risk.event.created' as const),
    timestamp: fc
      .date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    tenant_id: id('tnt'),
    device_id: id('dev'),
    threat_category: fc.constantFrom('phone_scam', 'social_engineering', 'phishing', 'deepfake'),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    action_taken: fc.constantFrom('allow', 'warn', 'block'),
    policy_id: id('pol'),
    severity: fc.constantFrom('low', 'medium', 'high', 'critical'),
    description: text(4096),
    indicators: fc.array(indicator, { maxLength: 64 }),
    metadata: fc.record(
      {
        agent_version: text(64),
        model_version: text(64),
        device_platform: fc.constantFrom('ios', 'android', 'windows', 'macos', 'linux'),
        note: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    corrects_event_id: id('evt'),
    correction_reason: text(1024),
    sequence: fc.integer({ min: 1 }),
    previous_event_hash: hex(64),
  },
  {
    requiredKeys: [
      'event_id',
      'type',
      'timestamp',
      'tenant_id',
      'device_id',
      'threat_category',
      'confidence',
      'action_taken',
      'policy_id',
      'severity',
    ],
  },
) as fc.Arbitrary<Event>;
