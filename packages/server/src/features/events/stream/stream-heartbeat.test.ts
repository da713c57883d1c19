import { randomBytes } from 'node:crypto';
import { registerTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import { createCursorCodec } from '../../../platform/http/cursors.ts';
import { createLogger } from '../../../platform/logger.ts';
import { RequestDatabase } from '../../authority/index.ts';
import { EventStreams } from './event-streams.ts';

const service = useTestService();

test('a silent stream has comments, with the id up to which nothing matched', async () => {
  const { tenantId } = service.tenant;
  const device = await registerTestDevice(service);
  const { database } = service.service;
  const streams = new EventStreams({
    database: new RequestDatabase({ database, clock: systemClock }),
    cursors: createCursorCodec(randomBytes(32)),
    turns: new FairTurns(),
    logger: createLogger({ level: 'silent' }),
    times: { heartbeatMs: 20, confirmMs: 600_000, tickMs: 5 },
  });
  const open = (cursor?: string) =>
    streams.openFor({
      ...{ operationId: 'streamEvents', tenantId, requestId: 'req_test', id: '' },
      caller: { tokenId: 'tok_test', tenantId, scopes: ['events:read'], expiresAtMs: null },
      query: { severity: 'low', ...(cursor !== undefined && { cursor }) },
      header: () => undefined,
    } as unknown as Parameters<EventStreams['openFor']>[0]);
  const stream = await open();
  onTestFinished(() => void stream.destroy());
  await device.post(device.event({ severity: 'high' }));

  const ids: string[] = [];
  for await (const chunk of stream) {
    const [, id] = /^: heartbeat\nid: (\S+)\n\n$/.exec(String(chunk)) ?? [];
    if (id !== undefined) ids.push(id);
    if (new Set(ids).size > 1) break;
  }
  const [first, last] = [ids[0], ids.at(-1)];
  expect(first).not.toBe(last);
  // It continues where the comment says, so that what does not match is not read again.
  const resumed = await open(last);
  onTestFinished(() => void resumed.destroy());
  const [ready] = await resumed.take(1).toArray();
  expect(String(ready)).toContain(`id: ${last}\n`);
});
