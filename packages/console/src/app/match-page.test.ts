import { expect, test } from 'vitest';
import type { Page } from '../kit/index.ts';
import { matchPage } from './match-page.ts';

const pages = ['/', '/webhooks', '/webhooks/$id', '/webhooks/dead-letters'].map(
  (path): Page => ({
    path,
    title: path,
    scope: 'status:read',
    load: () => Promise.reject(new Error('unused')),
  }),
);

test.each([
  ['/', '/'],
  ['', '/'],
  ['/webhooks/', '/webhooks'],
  ['/webhooks/whk_1', '/webhooks/$id'],
  ['/webhooks/dead-letters', '/webhooks/dead-letters'],
  ['/webhooks/whk_1/more', undefined],
  ['/unknown', undefined],
])('%j is the page %j', (path, page) => {
  expect(matchPage(pages, path)?.path).toBe(page);
});
