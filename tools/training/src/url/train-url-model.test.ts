import { loadModels } from '@tps/detection';
import { DOCUMENT_FEATURES, encodeModels, type StoredModels, scoreUrl } from '@tps/detection/training';
import { expect, test } from 'vitest';
import type { Row } from '../rows/row.ts';
import { evaluateUrls } from './evaluate-urls.ts';
import { trainUrlModel } from './train-url-model.ts';
import { PLAIN_WORDS } from './word-bag.ts';

const CUTOFFS = { openphish: '2026-04' };

/** Threats end in `-login.top`, benign links in `.org`; every third threat is of a month kept for testing. */
const ROWS: Row[] = PLAIN_WORDS.flatMap((word, at): Row[] => [
  {
    kind: 'url',
    file: 'urls',
    content: `https://${word}-login.top/verify`,
    threat: true,
    label: '1',
    source: 'openphish',
    date: at % 3 === 0 ? '2026-04-02' : '2026-03-02',
  },
  {
    kind: 'url',
    file: 'urls',
    content: `https://${word}.org/about`,
    threat: false,
    label: '0',
    source: 'citizenlab',
  },
]);

function train(seed: number): StoredModels {
  const { model, thresholds } = trainUrlModel(ROWS, { licence: 'any', seed, cutoffs: CUTOFFS });
  const both = { url: thresholds, text: thresholds };
  const text = { ...model, linear: { ...model.linear, dense: new Float32Array(DOCUMENT_FEATURES) } };
  return { name: 'test', licence: 'any', url: model, text, urlCutoffs: CUTOFFS, thresholds: both };
}

const models = loadModels(encodeModels(train(1)));

test('the same rows and seed give the same bytes, and the model finds unseen threats', () => {
  expect(loadModels(encodeModels(train(1))).version).toBe(models.version);
  const { figures, tables } = evaluateUrls(ROWS, { models, all: false });
  expect(figures['url.openphish.newest.recall_at_1pct']).toBeGreaterThan(0.9);
  expect(figures['url.auc']).toBeGreaterThan(0.95);
  expect(tables.map(({ title }) => title)).toContain('Links: benign by source');
  const threat = scoreUrl('https://bakery-login.top/verify', models.url)?.probability ?? 0;
  expect(threat).toBeGreaterThan(scoreUrl('https://bakery.org/about', models.url)?.probability ?? 1);
});

test('rows that the model learned from are left out unless all are requested', () => {
  const count = (all: boolean) => {
    const { tables } = evaluateUrls(ROWS, { models, all });
    const rows = tables.flatMap(({ title, rows: lines }) =>
      title.startsWith('Links: ') && !title.endsWith('evasion') ? lines : [],
    );
    return rows.reduce((sum, [, number]) => sum + Number(number), 0);
  };
  expect(count(true)).toBe(ROWS.length);
  expect(count(false)).toBeGreaterThan(ROWS.length / 5);
  expect(count(false)).toBeLessThan(ROWS.length / 2);
});
