import type { Models } from '@tps/detection';
import { expect, test } from 'vitest';
import { unseenRows } from './score-rows.ts';
import { splitOf, toUrlRows, type UrlRow } from './url-row.ts';

const urlCutoffs = { openphish: '2026-04' };
const models = { licence: 'any', urlCutoffs } as unknown as Models;

function threats(month: string, path: string): UrlRow[] {
  return toUrlRows(
    Array.from({ length: 100 }, (_, at) => ({
      kind: 'url' as const,
      file: 'urls',
      content: `https://site-${at}.com/${path}`,
      threat: true,
      label: '1',
      source: 'openphish',
      date: `${month}-01`,
    })),
  );
}

test('a threat of the newest months is not tested if its domain was learned from', () => {
  const old = threats('2026-01', 'a');
  const fresh = threats('2026-04', 'b');
  const learned = new Set(
    old.filter((row) => splitOf(row, urlCutoffs) === 'train').map(({ address }) => address.site),
  );
  expect(learned.size).toBeGreaterThan(40);
  const unseen = unseenRows([...old, ...fresh], models);
  expect(unseen.length).toBeGreaterThan(40);
  expect(unseen.filter(({ address }) => learned.has(address.site))).toEqual([]);
});

test('a model that does not learn from a source is tested on all its newest rows', () => {
  const rows = [...threats('2026-01', 'a'), ...threats('2026-04', 'b')];
  const unseen = unseenRows(rows, { ...models, licence: 'redistributable' });
  expect(unseen.filter(({ date }) => date === '2026-04-01')).toHaveLength(100);
});
