import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type Circuit, nextBatchSize, openCircuit, probeDelayMs, stopReplay } from './circuit.ts';

const KEY = { tenantId: 'tnt_a' as TenantId, webhookId: 'whk_1' };
const FAILED = { nowMs: 1000, random: 0, delivered: 0 };

function withBatch(circuit: Circuit, size: number): Circuit {
  return { ...circuit, state: 'half_open', batch: { size, from: 'dlv_1', until: 'dlv_2' } };
}

test('the pause before a probe doubles from 5 s to 5 min, with up to 20 % more', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 1000].map((failed) => probeDelayMs(failed, 0));
  expect(delays).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1000));
  expect(probeDelayMs(0, 0.5)).toBe(5_500);
  expect(probeDelayMs(1000, 1)).toBe(360_000);
});

test('a replay begins with one dead letter, and doubles up to 64', () => {
  let circuit = openCircuit(KEY, { nowMs: 0, random: 0 });
  const sizes: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    sizes.push(nextBatchSize(circuit));
    circuit = withBatch(circuit, nextBatchSize(circuit));
  }
  expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
});

test('each failed probe makes the next pause longer; a replay that broke begins with a short one', () => {
  let circuit = openCircuit(KEY, { nowMs: 1000, random: 0 });
  expect(circuit.dueAtMs).toBe(6_000);
  circuit = stopReplay(withBatch(circuit, 1), FAILED);
  expect(circuit).toMatchObject({ state: 'open', dueAtMs: 11_000, failedProbes: 1, batch: null });
  circuit = stopReplay(withBatch(circuit, 1), FAILED);
  expect(circuit).toMatchObject({ dueAtMs: 21_000, failedProbes: 2 });
  circuit = stopReplay(withBatch(circuit, 8), { ...FAILED, delivered: 3 });
  expect(circuit).toMatchObject({ dueAtMs: 6_000, failedProbes: 0, replayed: 3 });
});
