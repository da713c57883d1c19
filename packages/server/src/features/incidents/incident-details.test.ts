import { randomBytes } from 'node:crypto';
import { INCIDENT_LIST_LIMIT } from '@tps/contract';
import { useTestDatabase } from '@tps/testing/store';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { IncidentMember, IncidentRecord, MemberKind } from './incident.ts';
import { listMembers, listTimeline } from './incident-details-store.ts';
import * as incidentStore from './incident-store.ts';

const MEMBERS = 20_000;
const tenantId = `tnt_${randomBytes(4).toString('hex')}` as TenantId;

const store = useTestDatabase();

const number = (index: number) => String(index).padStart(6, '0');

function membersOf(incidentId: string, kind: MemberKind, count: number): IncidentMember[] {
  return Array.from({ length: count }, (_, index) => ({ incidentId, kind, memberId: `m_${number(index)}` }));
}

function incidentOf(incidentId: string): IncidentRecord {
  return {
    incidentId,
    category: 'phishing',
    correlationKey: 'dev_1',
    severity: 'high',
    status: 'open',
    message: 'Phishing',
    resolution: null,
    assignee: null,
    tags: [],
    version: 1,
    createdAtMs: 1,
    updatedAtMs: 1,
    lastEventAtMs: 1,
    acknowledgedAtMs: null,
    resolvedAtMs: null,
    firstResolvedAtMs: null,
  };
}

test('exactly the newest members and timeline entries of a huge incident are read', async () => {
  const { database } = store;
  const huge = [...membersOf('inc_huge', 'alert', MEMBERS), ...membersOf('inc_huge', 'threat', 3)];
  const small = [
    ...membersOf('inc_small', 'device', 1),
    ...membersOf('inc_small', 'alert', INCIDENT_LIST_LIMIT + 1),
  ];
  await database.transaction(async (tx) => {
    await incidentStore.saveMany(tx, tenantId, [incidentOf('inc_huge'), incidentOf('inc_small')]);
    const members = [...huge, ...small];
    for (let from = 0; from < members.length; from += 2000)
      await incidentStore.addMembers(tx, tenantId, members.slice(from, from + 2000));
    for (let from = 0; from < MEMBERS; from += 2000)
      await incidentStore.addTimeline(
        tx,
        tenantId,
        Array.from({ length: 2000 }, (_, index) => ({
          incidentId: 'inc_huge',
          entryId: `itl_${number(from + index)}`,
          atMs: from + index,
          kind: 'changed' as const,
          actor: 'tok_1',
          message: 'note',
        })),
      );
  });

  const members = await listMembers(database.read, tenantId, ['inc_huge', 'inc_small', 'inc_none']);
  const timeline = await listTimeline(database.read, tenantId, ['inc_huge', 'inc_small']);

  const shown = (incidentId: string, kind: MemberKind) =>
    members
      .filter((member) => member.incidentId === incidentId && member.kind === kind)
      .map(({ memberId }) => memberId);
  const newest = Array.from(
    { length: INCIDENT_LIST_LIMIT },
    (_, index) => `m_${number(MEMBERS - 1 - index)}`,
  );
  expect(shown('inc_huge', 'alert')).toEqual(newest);
  expect(shown('inc_huge', 'threat')).toEqual(['m_000002', 'm_000001', 'm_000000']);
  expect(shown('inc_small', 'device')).toHaveLength(1);
  expect(shown('inc_small', 'alert')).toHaveLength(INCIDENT_LIST_LIMIT);
  expect(shown('inc_small', 'alert')).not.toContain('m_000000');
  expect(timeline.map(({ atMs }) => atMs)).toEqual(
    Array.from({ length: INCIDENT_LIST_LIMIT }, (_, index) => MEMBERS - INCIDENT_LIST_LIMIT + index),
  );
});
