import { randomBytes } from 'node:crypto';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import { createCursorCodec } from '../../../platform/http/cursors.ts';
import { createLogger } from '../../../platform/logger.ts';
import { RequestDatabase } from '../../authority/index.ts';
import type { EventStream } from './event-stream.ts';
import { EventStreams } from './event-streams.ts';
import { MAX_STREAMS_PER_TENANT } from './stream-places.ts';

const service = useTestService();

test('a reader that takes nothing gives up its place before the newest', async () => {
  const { tenantId } = service.tenant;
  const { database } = service.service;
  const streams = new EventStreams({
    database: new RequestDatabase({ database, clock: systemClock }),
    cursors: createCursorCodec(randomBytes(32)),
    turns: new FairTurns(),
    logger: createLogger({ level: 'silent' }),
    times: { confirmMs: 600_000 },
  });
  onTestFinished(() => streams.close());
  const open = (tokenId: string): Promise<EventStream> =>
    streams.openFor({
      ...{ operationId: 'streamEvents', tenantId, requestId: 'req_test', id: '' },
      caller: { tokenId, tenantId, scopes: ['events:read'], expiresAtMs: null },
      query: {},
      header: () => undefined,
    } as unknown as Parameters<EventStreams['openFor']>[0]);
  const opened: EventStream[] = [];
  while (opened.length < MAX_STREAMS_PER_TENANT) opened.push(await open('tok_1'));
  const [hanging, ...reading] = opened;
  for (const stream of reading) stream.resume();
  await waitUntil(() => (hanging?.stalledMs(performance.now()) ?? 0) > 1_000);

  (await open('tok_2')).resume();
  await waitUntil(() => hanging?.destroyed === true);
  expect(reading.filter(({ destroyed }) => destroyed)).toEqual([]);

  (await open('tok_2')).resume();
  await waitUntil(() => reading.at(-1)?.destroyed === true);
  expect(reading.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  expect(streams.open).toBe(MAX_STREAMS_PER_TENANT);
});
