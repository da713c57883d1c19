import { expect, test } from 'vitest';
import { policy } from '../testing/sample-policy.ts';
import { parsePolicies, parsePolicyList } from './policy-list.ts';

const CONFIRMED_AT = '2026-03-02T09:15:03.000Z';

test('a stored list is read back', () => {
  const list = { policies: [policy('pol_1')], etag: '"one"', confirmedAt: CONFIRMED_AT };
  expect(parsePolicyList(JSON.stringify(list))).toEqual(list);
  expect(parsePolicyList(JSON.stringify({ ...list, etag: 7 }))).toEqual({ ...list, etag: undefined });
});

test.each(['', 'null', '[]', '{', '{"policies":[]}', `{"policies":{},"confirmedAt":"${CONFIRMED_AT}"}`])(
  'a file that holds %j is as if it were not there',
  (text) => {
    expect(parsePolicyList(text)).toBeUndefined();
  },
);

test.each<[string, unknown]>([
  ['policy_id', 'unprefixed'],
  ['name', ''],
  ['threat_categories', 'phishing'],
  ['action', 'burn'],
  ['confidence_threshold', '0.5'],
  ['confidence_threshold', 1.5],
  ['enabled', 'false'],
  ['version', 1.5],
])('a policy whose %s is %j spoils the list: half a list would decide otherwise', (member, value) => {
  expect(parsePolicies([policy('pol_1'), { ...policy('pol_2'), [member]: value }])).toBeUndefined();
});

test('a list of more than 1000 policies is rejected', () => {
  const many = Array.from({ length: 1001 }, (_, number) => policy(`pol_${number}`));
  expect(parsePolicies(many)).toBeUndefined();
  expect(parsePolicies(many.slice(1))).toHaveLength(1000);
});

test('members and categories of a newer service are left out', () => {
  const newer = { ...policy('pol_1'), threat_categories: ['phishing', 'quishing'], platforms: ['ios'] };
  expect(parsePolicies([newer])).toEqual([policy('pol_1')]);
});
