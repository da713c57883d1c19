import { expect, test } from 'vitest';
import type { Row } from '../rows/row.ts';
import { findCutoffs, isNewest, mayLearnFrom, splitOf, toUrlRows } from './url-row.ts';

function row(content: string, source = 'openphish', date?: string, threat = true): Row {
  return {
    kind: 'url',
    file: 'urls',
    content,
    threat,
    label: threat ? '1' : '0',
    source,
    ...(date && { date }),
  };
}

const [one] = toUrlRows([row('https://example.com')]);

test('the newest months of each current source are cut off, across a new year', () => {
  const rows = [
    row('a.com', 'openphish', '2025-11-03'),
    row('b.com', 'openphish', '2026-01-30'),
    row('c.com', 'jpcert', '2025-06-01'),
    row('e.com', 'phishtank2020', '2020-05-01'),
    row('d.com', 'deepurlbench', '2027-01-01', false),
  ];
  expect(findCutoffs(rows, 2)).toEqual({ jpcert: '2025-05', openphish: '2025-12' });
});

test('the newest months, held-out and unknown sources are for testing alone', () => {
  const cutoffs = { openphish: '2026-04' };
  const parts = (source: string, date?: string, threat = true) =>
    new Set(
      toUrlRows(Array.from({ length: 200 }, (_, at) => row(`site-${at}.com`, source, date, threat))).map(
        (each) => splitOf(each, cutoffs),
      ),
    );
  expect(parts('openphish', '2026-04-01')).toEqual(new Set(['held_out']));
  expect(parts('2fa', undefined, false)).toEqual(new Set(['held_out']));
  expect(parts('unknown-source')).toEqual(new Set(['held_out']));
  expect(parts('openphish', '2026-03-31')).toEqual(new Set(['held_out', 'calibrate', 'train']));
  expect(isNewest(row('a.com', 'openphish', '2026-05-01'), cutoffs)).toBe(true);
});

test('every row of a registered domain is in the same part', () => {
  const rows = toUrlRows([
    row('https://a.example.com/x'),
    row('http://example.com', 'jpcert'),
    row('www.example.com/y?z', 'ebbu2017', undefined, false),
  ]);
  expect(new Set(rows.map((each) => splitOf(each, {}))).size).toBe(1);
  expect(one).toBeDefined();
});

test('a redistributable model learns only from sources that allow it', () => {
  expect(mayLearnFrom('jpcert', 'redistributable')).toBe(true);
  for (const source of ['openphish', 'ebbu2017', 'deepurlbench', '2fa', 'portfolios', 'unknown-source']) {
    expect(mayLearnFrom(source, 'redistributable'), source).toBe(false);
  }
  expect(mayLearnFrom('openphish', 'any')).toBe(true);
  expect(mayLearnFrom('apple_chpw', 'any')).toBe(false);
});
