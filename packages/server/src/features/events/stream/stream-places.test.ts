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

interface Asker {
  readonly tokenId: string;
  readonly accountId?: string;
}

function openStreams() {
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
  const open = ({ tokenId, accountId }: Asker): Promise<EventStream> =>
    streams.openFor({
      ...{ operationId: 'streamEvents', tenantId, requestId: 'req_test', id: '' },
      caller: {
        ...{ tokenId, tenantId, scopes: ['events:read'], expiresAtMs: null },
        ...(accountId && { issued: { accountId, clientId: 'cli_console' } }),
      },
      query: {},
      header: () => undefined,
    } as unknown as Parameters<EventStreams['openFor']>[0]);
  return { streams, open };
}

test('a program with any number of tokens leaves half of the places to people', async () => {
  const { streams, open } = openStreams();
  const ofTokens: EventStream[] = [];
  for (let at = 0; at < MAX_STREAMS_PER_TENANT; at += 1) ofTokens.push(await open({ tokenId: `tok_${at}` }));
  await expect(open({ tokenId: 'tok_new' })).rejects.toMatchObject({ code: 'rate_limited' });
  const half = MAX_STREAMS_PER_TENANT / 2;
  for (let at = 0; at < half; at += 1) await open({ tokenId: `tok_of_${at}`, accountId: `acc_${at % 10}` });
  await waitUntil(() => ofTokens.filter(({ destroyed }) => destroyed).length === half);
  await expect(open({ tokenId: 'tok_last', accountId: 'acc_0' })).rejects.toMatchObject({
    code: 'rate_limited',
  });
  expect(streams.open).toBe(MAX_STREAMS_PER_TENANT);
});

test('of callers with equally many streams, the one with the newest gives up its place', async () => {
  const { open } = openStreams();
  const opened: EventStream[] = [];
  for (let at = 0; at < MAX_STREAMS_PER_TENANT; at += 1) {
    opened.push((await open({ tokenId: `tok_${at}` })).resume());
  }
  await open({ tokenId: 'tok_of_person', accountId: 'acc_1' });
  await waitUntil(() => opened.some(({ destroyed }) => destroyed));
  expect(opened.findIndex(({ destroyed }) => destroyed)).toBe(MAX_STREAMS_PER_TENANT - 1);
});

test('a reader that takes nothing gives up its place before the newest', async () => {
  const { streams, open } = openStreams();
  const opened: EventStream[] = [];
  while (opened.length < MAX_STREAMS_PER_TENANT) opened.push(await open({ tokenId: 'tok_1' }));
  const [hanging, ...reading] = opened;
  for (const stream of reading) stream.resume();
  await waitUntil(() => (hanging?.stalledMs(performance.now()) ?? 0) > 1_000);

  (await open({ tokenId: 'tok_2' })).resume();
  await waitUntil(() => hanging?.destroyed === true);
  expect(reading.filter(({ destroyed }) => destroyed)).toEqual([]);

  (await open({ tokenId: 'tok_2' })).resume();
  await waitUntil(() => reading.at(-1)?.destroyed === true);
  expect(reading.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  expect(streams.open).toBe(MAX_STREAMS_PER_TENANT);
});
