import type { AuditEntry } from '@tps/client';
import { expect, test } from 'vitest';
import { mergeTimeline } from './merge-timeline.ts';

const PERSON = { type: 'account', id: 'acc_1', name: 'Kim' } as const;

function audit(at: string, members: Partial<AuditEntry> = {}): AuditEntry {
  return {
    audit_id: `aud_${at}`,
    tenant_id: 'tnt_1',
    occurred_at: at,
    actor: PERSON,
    action: 'incident.update',
    resource: { type: 'incident', id: 'inc_1' },
    outcome: 'success',
    request_id: null,
    detail: `audit ${at}`,
    fields: {},
    ...members,
  };
}

const line = (at: string, actor = 'acc_1') => ({ at, kind: 'changed', actor, message: `timeline ${at}` });
const textsOf = (...given: Parameters<typeof mergeTimeline>) =>
  mergeTimeline(...given).map(({ text }) => text);

test('an act in the audit log and in the timeline is shown once, with the name', () => {
  const at = '2026-03-02T09:00:00.000Z';
  const merged = mergeTimeline([audit(at)], [line('2026-03-02T09:00:00.400Z')], { hasMore: false });
  expect(merged).toMatchObject([{ text: 'timeline 2026-03-02T09:00:00.400Z', actor: PERSON }]);
});

test('a rejected attempt and the act of another person are kept', () => {
  const at = '2026-03-02T09:00:00.000Z';
  const denied = audit(at, { outcome: 'denied', detail: 'rejected' });
  expect(textsOf([denied], [line(at), line(at, 'acc_2')], { hasMore: false })).toHaveLength(3);
});

test('while older audit entries are not loaded, older lines of the timeline wait', () => {
  const entries = [audit('2026-03-02T12:00:00.000Z'), audit('2026-03-02T11:00:00.000Z')];
  const timeline = [line('2026-03-02T10:00:00.000Z'), line('2026-03-02T11:30:00.000Z')];
  expect(textsOf(entries, timeline, { hasMore: true })).toEqual([
    'audit 2026-03-02T12:00:00.000Z',
    'timeline 2026-03-02T11:30:00.000Z',
    'audit 2026-03-02T11:00:00.000Z',
  ]);
  expect(textsOf(entries, timeline, { hasMore: false })).toHaveLength(4);
});
