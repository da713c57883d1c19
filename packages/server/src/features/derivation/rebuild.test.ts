import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { brokenInvariants } from './testing/invariants.ts';
import { LiveFeed } from './testing/live-feed.ts';
import { randomFeed } from './testing/random-feed.ts';

const RUNS = Number(process.env.TEST_PROPERTY_RUNS ?? 60);

let store: TestDatabase;

beforeAll(async () => {
  store = await openTestDatabase();
});

afterAll(async () => {
  await store.drop();
});

test('what is derived live equals what the stored feed gives when it is replayed event by event', async () => {
  await fc.assert(
    fc.asyncProperty(randomFeed, async (steps) => {
      const feed = new LiveFeed(store.database);
      await feed.play(steps);
      const { model, misplaced } = await feed.rebuild();
      const live = await feed.views();
      expect(live).toEqual(model.views());
      expect(misplaced).toEqual([]);
      expect(brokenInvariants(live, model.counted())).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 120_000);
