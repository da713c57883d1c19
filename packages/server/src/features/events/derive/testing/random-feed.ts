import { ACTIONS, type Event, RESOLUTIONS, type Resolution, SEVERITIES } from '@tps/contract';
import fc from 'fast-check';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEVICES = 4;

/** A step in the life of a feed: an event arrives, or a person resolves an incident. */
export type Step =
  | {
      readonly kind: 'event';
      readonly event: Omit<Event, 'event_id' | 'tenant_id' | 'device_id' | 'timestamp'>;
      readonly device: number;
      readonly agoMs: number;
      /** Number of the earlier event that it corrects; null for a new event. */
      readonly corrects: number | null;
      readonly endsTransaction: boolean;
    }
  | { readonly kind: 'resolve'; readonly incident: number; readonly resolution: Resolution };

/** Distances on either side of every window. */
const AGO_HOURS = [0, 0.1, 0.3, 6, 20, 30, 47, 70, 140, 200];

const chain = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ sequence: fc.constantFrom(1, 2, 5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      sequence: fc.constantFrom(2, 5),
      previous_event_hash: fc.constant('0'.repeat(64)),
    }),
  },
);

const content = fc
  .tuple(
    fc.record({
      type: fc.constant('risk.event.created' as const),
      threat_category: fc.constantFrom('phishing' as const, 'phishing' as const, 'deepfake' as const),
      confidence: fc.constantFrom(0.2, 0.55, 0.9),
      action_taken: fc.constantFrom(...ACTIONS, 'block' as const),
      policy_id: fc.constantFrom('pol_1', 'pol_2'),
      severity: fc.constantFrom(...SEVERITIES),
      indicators: fc.oneof(fc.subarray(['sig:a', 'sig:b', 'sig:c']), fc.constant<string[]>(['sig:a'])),
    }),
    chain,
    fc.oneof(fc.constant({}), fc.record({ description: fc.constantFrom('first words', 'other words') })),
  )
  .map(([event, chained, described]) => ({ ...event, ...chained, ...described }));

const eventStep = fc.record({
  kind: fc.constant('event' as const),
  event: content,
  device: fc.nat(DEVICES - 1),
  agoMs: fc
    .tuple(fc.constantFrom(...AGO_HOURS), fc.nat(20))
    .map(([hours, minutes]) => hours * HOUR_MS + minutes * MINUTE_MS),
  corrects: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat() }),
  endsTransaction: fc.boolean(),
});

const resolveStep = fc.record({
  kind: fc.constant('resolve' as const),
  incident: fc.nat(),
  resolution: fc.constantFrom(
    ...RESOLUTIONS.filter((resolution) => !['benign_expected', 'test'].includes(resolution)),
  ),
});

/** Feeds with few devices, indicators and policies, so that they overlap, and with times out of order over days. */
export const randomFeed: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 12, arbitrary: eventStep }, { weight: 1, arbitrary: resolveStep }),
  { minLength: 5, maxLength: 45, size: 'max' },
);
