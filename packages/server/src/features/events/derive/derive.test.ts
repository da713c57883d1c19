import { ACTIONS, SEVERITIES } from '@tps/contract';
import { describe, expect, test } from 'vitest';
import type { FeedEvent } from '../../feed/index.ts';
import { DAY_MS, deriveAll, HOUR_MS, MINUTE_MS } from './testing/feed-events.ts';

type Given = Parameters<typeof deriveAll>[0];

const threatsOf = (given: Given) =>
  deriveAll(given)
    .views()
    .threats.map(({ eventCount }) => eventCount);
const alertsOf = (given: Given) =>
  deriveAll(given)
    .views()
    .alerts.map(({ eventIds }) => eventIds.length);
const incidentsOf = (given: Given, category: string = 'phishing') =>
  deriveAll(given)
    .views()
    .incidents.filter((incident) => incident.category === category);

describe('an alert', () => {
  test('is opened by every block, by warnings from severity high, and by no allow', () => {
    const alerting = ACTIONS.flatMap((action) =>
      SEVERITIES.filter((severity) => alertsOf([{ action, severity }]).length > 0).map(
        (severity) => `${action} ${severity}`,
      ),
    );
    expect(alerting).toEqual([
      'warn high',
      'warn critical',
      'block low',
      'block medium',
      'block high',
      'block critical',
    ]);
  });

  test('is joined within 15 minutes by the same device, category, policy and indicators', () => {
    expect(alertsOf([{}, { atMs: 15 * MINUTE_MS }, { atMs: -15 * MINUTE_MS }])).toEqual([3]);
    expect(alertsOf([{}, { atMs: 15 * MINUTE_MS + 1 }])).toEqual([1, 1]);
    expect(alertsOf([{ indicators: ['a', 'b'] }, { indicators: ['b', 'a'].sort() }])).toEqual([2]);
    const others: Partial<FeedEvent>[] = [
      { deviceId: 'dev_2' },
      { category: 'deepfake' },
      { policyId: 'pol_2' },
      { indicators: ['sig:1', 'sig:2'] },
    ];
    for (const other of others) expect(alertsOf([{}, other])).toEqual([1, 1]);
  });

  test('is not joined without indicators', () => {
    expect(alertsOf([{ indicators: [] }, { indicators: [] }])).toEqual([1, 1]);
  });
});

describe('a threat', () => {
  test('joins events of one device and category that share any of its indicators', () => {
    expect(
      threatsOf([{ indicators: ['a', 'b'] }, { indicators: ['b', 'c'] }, { indicators: ['c'] }]),
    ).toEqual([3]);
    expect(threatsOf([{ indicators: ['a'] }, { indicators: ['b'] }])).toEqual([1, 1]);
    expect(threatsOf([{}, { deviceId: 'dev_2' }])).toEqual([1, 1]);
    expect(threatsOf([{}, { category: 'deepfake' }])).toEqual([1, 1]);
    expect(threatsOf([{}, { action: 'allow' }, { action: 'warn', severity: 'low' }])).toEqual([2]);
  });

  test('joins events without indicators by their policy', () => {
    expect(
      threatsOf([{ indicators: [] }, { indicators: [] }, { indicators: [], policyId: 'pol_2' }]),
    ).toEqual([2, 1]);
    expect(threatsOf([{ indicators: [] }, {}])).toEqual([1, 1]);
  });

  test('has gaps of at most 24 hours, and lasts at most 7 days', () => {
    expect(threatsOf([{}, { atMs: DAY_MS }])).toEqual([2]);
    expect(threatsOf([{}, { atMs: DAY_MS + 1 }])).toEqual([1, 1]);
    expect(threatsOf([{}, { atMs: -DAY_MS }])).toEqual([2]);
    const days = Array.from({ length: 8 }, (_, day) => ({ atMs: day * DAY_MS }));
    expect(threatsOf(days)).toEqual([8]);
    expect(threatsOf([...days, { atMs: 7 * DAY_MS + 1 }])).toEqual([8, 1]);
  });

  test('follows the newest correction, which may lower its values', () => {
    const events = [
      { severity: 'high' as const, confidence: 0.9 },
      { severity: 'low' as const, confidence: 0.3 },
    ];
    const [threat] = deriveAll([...events, { corrects: 0, action: 'allow' as const }]).views().threats;
    expect(threat).toMatchObject({ status: 'active', eventCount: 1, severity: 'low', confidence: 0.3 });
    const all = [
      ...events,
      { corrects: 0, action: 'allow' as const },
      { corrects: 1, action: 'allow' as const },
    ];
    expect(deriveAll(all).views().threats).toMatchObject([{ status: 'dismissed', eventCount: 0 }]);
    expect(threatsOf([...all, {}])).toEqual([0, 1]);
  });

  test('no longer has an indicator that a correction removed', () => {
    const first = { indicators: ['a'] };
    const wrong = { indicators: ['a', 'b'], corrects: undefined };
    const given: Given = [first, wrong as object, { corrects: 1, indicators: ['a'] }, { indicators: ['b'] }];
    expect(threatsOf(given)).toEqual([2, 1]);
  });
});

describe('an incident', () => {
  test('is opened from severity high, and joined within 24 hours by device and category', () => {
    expect(incidentsOf([{}])).toEqual([]);
    expect(incidentsOf([{ action: 'warn', severity: 'high' }])).toHaveLength(1);
    const grave = { severity: 'high' as const, indicators: [] };
    expect(incidentsOf([grave, { ...grave, severity: 'critical', atMs: DAY_MS }])).toMatchObject([
      { severity: 'critical', version: 2 },
    ]);
    expect(incidentsOf([grave, { ...grave, atMs: DAY_MS + 1 }])).toHaveLength(2);
    expect(incidentsOf([grave, { ...grave, deviceId: 'dev_2' }])).toHaveLength(2);
  });

  test('keeps an alert that an event joins late, even if its other events are far ahead', () => {
    const given: Given = [
      { severity: 'high' },
      ...[1, 2, 3].map((day) => ({ severity: 'high' as const, indicators: ['x'], atMs: day * DAY_MS })),
      { severity: 'high', atMs: MINUTE_MS },
    ];
    const { alerts, incidents } = deriveAll(given).views();
    expect(incidents).toHaveLength(1);
    expect(new Set(alerts.map(({ incidentId }) => incidentId)).size).toBe(1);
  });

  test('is raised by a correction to a higher severity', () => {
    const given: Given = [{ severity: 'high' }, { corrects: 0, severity: 'critical' }];
    expect(incidentsOf(given)).toMatchObject([{ severity: 'critical' }]);
  });

  test('of a broken device chain is opened by a gap or a fork, also of an allowed event', () => {
    const states = ['linked', 'gap', 'declared_gap', 'fork', 'reset', 'unchained'] as const;
    const telling = states.filter(
      (deviceChain) => incidentsOf([{ action: 'allow', deviceChain }], 'device_integrity').length === 1,
    );
    expect(telling).toEqual(['gap', 'fork']);
  });
});

describe('a campaign', () => {
  const seen = (deviceId: string, atMs: number, members: Partial<FeedEvent> = {}) => ({
    deviceId,
    atMs,
    ...members,
  });
  const campaignsOf = (given: Given) => incidentsOf(given, 'campaign');

  test('is one indicator on three devices within 24 hours, warned or blocked', () => {
    const warn = { action: 'warn', severity: 'low' } as const;
    const three = [seen('dev_1', 0, warn), seen('dev_2', HOUR_MS, warn), seen('dev_3', DAY_MS, warn)];
    expect(campaignsOf(three)).toHaveLength(1);
    const members = deriveAll(three)
      .views()
      .members.filter(({ kind }) => kind === 'device');
    expect(members.map(({ memberId }) => memberId)).toEqual(['dev_1', 'dev_2', 'dev_3']);
    expect(campaignsOf([...three, seen('dev_4', DAY_MS + HOUR_MS)])).toMatchObject([{ version: 2 }]);
  });

  test('needs three devices, 24 hours and an indicator', () => {
    const indicators: string[] = [];
    expect(campaignsOf([seen('dev_1', 0), seen('dev_2', 0), seen('dev_2', 1)])).toEqual([]);
    expect(campaignsOf([seen('dev_1', 0), seen('dev_2', 1), seen('dev_3', DAY_MS + 1)])).toEqual([]);
    expect(campaignsOf(['dev_1', 'dev_2', 'dev_3'].map((id) => seen(id, 0, { indicators })))).toEqual([]);
  });

  test('is not three devices of which two are on either side of a late one', () => {
    expect(campaignsOf([seen('dev_1', -DAY_MS), seen('dev_2', DAY_MS), seen('dev_3', 0)])).toEqual([]);
    expect(
      campaignsOf([seen('dev_1', -DAY_MS / 2), seen('dev_2', DAY_MS / 2), seen('dev_3', 0)]),
    ).toHaveLength(1);
  });

  test('does not count an event that was corrected to allow', () => {
    const given: Given = [seen('dev_1', 0), { corrects: 0, deviceId: 'dev_1', action: 'allow' }];
    expect(campaignsOf([...given, seen('dev_2', 1), seen('dev_3', 2)])).toEqual([]);
    expect(campaignsOf([...given, seen('dev_2', 1), seen('dev_3', 2), seen('dev_1', 3)])).toHaveLength(1);
  });
});
