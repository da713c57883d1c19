import { expect, test } from 'vitest';
import { checkFeed } from './check-feed.ts';

test('a feed check reports delivered, missing, repeated and foreign events', async () => {
  const feed = ['evt_1', 'evt_2', 'evt_2', 'evt_other'].map((event_id) => ({ event_id }));
  expect(await checkFeed(feed, new Set(['evt_1', 'evt_2', 'evt_3']))).toEqual({
    delivered: 2,
    missing: ['evt_3'],
    repeated: ['evt_2'],
    foreign: 1,
  });
});
