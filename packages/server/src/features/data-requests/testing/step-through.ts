import type { Database } from '../../../database/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { advanceRequest } from '../advance-request.ts';
import { BEGINNING, type DataRequestRecord } from '../data-request.ts';
import * as dataRequestStore from '../data-request-store.ts';
import type { Subject } from '../subject.ts';

/** Stores a deletion without waking the worker. */
export async function storeDeletion(
  database: Database,
  tenantId: TenantId,
  { type, value }: Subject,
): Promise<DataRequestRecord> {
  const nowMs = Date.now();
  return database.transaction(async (tx) => {
    const request: DataRequestRecord = {
      tenantId,
      requestId: createId('drq', nowMs),
      kind: 'deletion',
      status: 'running',
      subjectType: type,
      subject: value,
      untilPosition: (await feedHeadStore.lock(tx, tenantId)).position,
      progress: BEGINNING,
      counts: {},
      proof: null,
      createdAtMs: nowMs,
      createdBy: { type: 'service', id: 'test' },
      completedAtMs: null,
      expiresAtMs: null,
    };
    await dataRequestStore.create(tx, request);
    return request;
  });
}

/** Carries out a deletion, with a check after each step. Returns the completed request. */
export async function stepThrough(
  database: Database,
  { tenantId, requestId }: DataRequestRecord,
  check: () => Promise<void> = () => Promise.resolve(),
): Promise<DataRequestRecord> {
  const work = { database, clock: systemClock, signal: new AbortController().signal };
  for (let steps = 0; steps < 500; steps += 1) {
    const request = await dataRequestStore.find(database.read, tenantId, requestId);
    if (!request) throw new Error('the request is gone');
    if (await advanceRequest(work, request)) {
      const done = await dataRequestStore.find(database.read, tenantId, requestId);
      if (done?.status === 'completed') return done;
    }
    await check();
  }
  throw new Error('the request does not end');
}
