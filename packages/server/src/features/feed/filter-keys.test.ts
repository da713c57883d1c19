import { ACTIONS, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { testEvent } from '@tps/testing/device';
import { expect, test } from 'vitest';
import { subjectOf } from './feed-event.ts';
import { filterKeysOf, indicatorFilterKeyOf, policyKeyOf } from './filter-keys.ts';

test('no two vocabularies share a word, so that a word excludes all others of its vocabulary', () => {
  const words = [...ACTIONS, ...SEVERITIES, ...THREAT_CATEGORIES, ...PLATFORMS];
  expect(new Set(words).size).toBe(words.length);
});

test('the keys of an event contain its words, its policy and each indicator once', () => {
  const event = testEvent({
    ...{ tenant_id: 'tnt_x', device_id: 'dev_x' },
    indicators: ['sig:b', 'sig:a', 'sig:b'],
    metadata: { device_platform: 'ios' },
  });
  const keys = ['sig:a', 'sig:b'].map(indicatorFilterKeyOf).join('');
  expect(filterKeysOf(event, subjectOf(event))).toBe(
    `,block,high,phishing,ios,${policyKeyOf('pol_test')}${keys}`,
  );
  expect(keys).toMatch(/^ [\w-]{4} [\w-]{4}$/);
});
