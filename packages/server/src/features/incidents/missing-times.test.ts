import { useTestDatabase } from '@tps/testing/store';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { IncidentRecord } from './incident.ts';
import * as incidentStore from './incident-store.ts';
import * as missingTimesStore from './missing-times-store.ts';

const TENANT = 'tnt_one' as TenantId;
const store = useTestDatabase();

const INCIDENT: Omit<IncidentRecord, 'incidentId'> = {
  ...{ category: 'phishing', correlationKey: 'key', severity: 'low', status: 'open', message: 'm' },
  ...{ resolution: null, assignee: null, tags: [], version: 1, createdAtMs: 1, updatedAtMs: 1 },
  ...{ lastEventAtMs: 1, acknowledgedAtMs: null, resolvedAtMs: null, firstResolvedAtMs: null },
};

test.each([
  ['Status from in_progress to resolved as test; Comment: a; b', 7, 7],
  ['Status from open to in_progress; Comment: from a to resolved', 7, null],
  ['Severity from low to high; Assigned to acc_1', 7, null],
  ['Severity from low to high; Comment: c; Assigned to me', null, null],
  ['Comment: Status from open to resolved', null, null],
])('an incident with the entry “%s” has the times %s and %s', async (message, acknowledged, resolved) => {
  const incidentId = `inc_${Math.abs(message.length)}`;
  const find = () => incidentStore.find(store.database.read, TENANT, incidentId);
  await store.database.transaction(async (tx) => {
    await incidentStore.saveMany(tx, TENANT, [{ ...INCIDENT, incidentId }]);
    const entry = { incidentId, kind: 'changed', actor: 'tok_1', message } as const;
    await incidentStore.addTimeline(tx, TENANT, [
      { ...entry, entryId: 'itl_1', atMs: 7 },
      { ...entry, entryId: 'itl_2', atMs: 9 },
    ]);
    await missingTimesStore.fillMissing(tx, TENANT);
  });
  expect(await find()).toMatchObject({ acknowledgedAtMs: acknowledged, firstResolvedAtMs: resolved });
});
