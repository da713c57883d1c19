import type { Indicator } from '@tps/detection/indicators';
import { expect, it } from 'vitest';
import { sendIndicators } from './send-indicators.ts';

it('every request but the first waits, and the last one replaces', async () => {
  const indicator = { type: 'domain', value: 'evil.example', source: 'feed', confidence: 1 } as Indicator;
  const steps: string[] = [];
  const counts = { source: 'feed', added: 1, updated: 0, unchanged: 0, removed: 0, indicators: 7 };
  const totals = await sendIndicators(Array(2001).fill(indicator), {
    send: async ({ import_id: id, replace = false, indicators }) => {
      steps.push(`send ${indicators.length} ${id} ${replace}`);
      return { import_id: 'imp_1', ...counts };
    },
    wait: async (requests) => void steps.push(`wait ${requests}`),
    replace: true,
    onProgress: () => undefined,
  });
  expect(steps).toEqual([
    'send 1000 undefined false',
    'wait 3',
    'send 1000 imp_1 false',
    'wait 3',
    'send 1 imp_1 true',
  ]);
  expect(totals).toMatchObject({ added: 3, indicators: 7 });
});
