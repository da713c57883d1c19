import { BATCH_LIMIT } from '@tps/contract';
import { type Attack, LONG_CURSOR, many, times } from './attacks.ts';

/** Streams that begin at the first event, so that each of them reads the whole feed. */
function streamsOfEverything(count: number): Attack {
  return {
    name: `${count} streams of the whole feed`,
    isGenuine: true,
    make: async (attacker, operationId) => {
      const { body } = await attacker.read('/events?limit=1');
      const { next_cursor: cursor } = body as { next_cursor: string };
      return Promise.all(times(count, () => attacker.request(operationId, { query: { cursor } })));
    },
  };
}

/** Streams with a filter each, and events for all of them. */
function streamsOfNewEvents(count: number): Attack {
  return {
    name: `${count} streams that get ${2 * BATCH_LIMIT} events`,
    isGenuine: true,
    make: async (attacker, operationId) => {
      const streams = times(count, (index) =>
        attacker.request(operationId, { query: `since=2026-01-01T00:00:00.${100 + index}Z` }),
      );
      const batches = times(2, () => {
        const events = times(BATCH_LIMIT, () => attacker.device.event());
        return attacker.request('submitEvents', { body: Buffer.from(JSON.stringify({ events })) });
      });
      return Promise.all([...streams, ...batches]);
    },
  };
}

export const streamEvents: readonly Attack[] = [
  many(30, { query: LONG_CURSOR }, '30 long cursors'),
  streamsOfNewEvents(100),
  streamsOfEverything(100),
];
