import { repetitions } from '@tps/testing/soak';
import { useTestDatabase } from '@tps/testing/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from './testing/feed-events.ts';
import { brokenInvariants } from './testing/invariants.ts';
import { LiveFeed } from './testing/live-feed.ts';
import { randomFeed, type Step } from './testing/random-feed.ts';

const RUNS = repetitions({ short: 12, soak: process.env.TEST_STORE === 'postgres' ? 20 : 60 });

const store = useTestDatabase();

async function expectRebuildEqualsLive(steps: readonly Step[]): Promise<void> {
  const feed = new LiveFeed(store.database);
  await feed.play(steps);
  const { model, misplaced } = await feed.rebuild();
  const live = await feed.views();
  expect(live).toEqual(model.views());
  expect(misplaced).toEqual([]);
  expect(brokenInvariants(live, model.counted())).toEqual([]);
}

test('live derivation equals replaying the stored feed event by event', async () => {
  await fc.assert(fc.asyncProperty(randomFeed, expectRebuildEqualsLive), { numRuns: RUNS });
});

test('also if one transaction moves a campaign out of reach of its later events', async () => {
  const seen = (device: number, hoursAgo: number, endsTransaction = false): Step => ({
    kind: 'event',
    event: {
      type: 'risk.event.created',
      threat_category: 'phishing',
      confidence: 0.5,
      action_taken: 'warn',
      policy_id: 'pol_1',
      severity: 'low',
      indicators: ['sig:a'],
    },
    device,
    agoMs: hoursAgo * HOUR_MS,
    corrects: null,
    endsTransaction,
  });
  await expectRebuildEqualsLive([
    seen(0, 30),
    seen(1, 30),
    seen(2, 30, true),
    seen(0, 10),
    seen(3, 50, true),
  ]);
});
