import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { IS_SOAK, repetitions } from '@tps/testing/soak';
import { afterAll, describe, expect, test } from 'vitest';
import { documentedOperations } from '../api/openapi-document.ts';
import { toRawPost } from '../scan/raw-post.ts';
import { longestTurnMs } from '../scan/thread-time.ts';
import { createAttacker } from './attacker.ts';
import { type Attack, randomAttack } from './attacks.ts';
import { attacksOn, EXPENSIVE_REQUESTS } from './expensive-requests.ts';
import type { SendReport } from './request-sender.ts';
import { startSender } from './send-together.ts';

/** The longest that one tenant may hold the thread that serves all of them. */
const HOLD_MS = Number(process.env.TEST_BUDGET_MS ?? 50);
/** What holds the thread does so in each try. Garbage collection and other work of this process vary. */
const TRIES = 8;

const service = useTestService({ env: WEBHOOK_ENV });
const attacker = useFixture(() => createAttacker(service));
const bystander = useFixture(() => service.createTenant());
const sender = startSender();
afterAll(() => sender.close());

/** Carries out an attack while another tenant reads its status. Returns how long the service's thread was held at most. */
async function holdOf({ make, settled, isGenuine }: Attack, operationId: string): Promise<number> {
  const { baseUrl } = service;
  const attack = await make(attacker, operationId);
  const requests = attack.map((request) => toRawPost({ baseUrl, ...attacker.tenant }, request));
  const status = toRawPost({ baseUrl, ...bystander }, { method: 'GET', path: '/status' });
  let report: SendReport = { statuses: {} };
  const heldMs = await longestTurnMs(async () => {
    report = await sender.send({ baseUrl, requests, bystander: status });
    await settled?.(attacker);
  });
  const statuses = Object.keys(report.statuses);
  expect(statuses, 'every request is answered').not.toContain('0');
  expect(statuses).not.toContain('500');
  const isProven = statuses.some((one) => one !== '401');
  expect(isProven, 'the signature is verified').toBe(isGenuine);
  return heldMs;
}

async function expectNoDelay(attack: Attack, operationId: string): Promise<void> {
  let heldMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && heldMs > HOLD_MS; attempt += 1) {
    heldMs = Math.min(heldMs, await holdOf(attack, operationId));
  }
  expect(heldMs, attack.name).toBeLessThanOrEqual(HOLD_MS);
}

test('every operation has its expensive requests', () => {
  const guarded = documentedOperations.filter(({ scope }) => scope !== undefined);
  const operationIds = guarded.map(({ operationId }) => operationId);
  expect(Object.keys(EXPENSIVE_REQUESTS).sort()).toEqual(operationIds.sort());
});

describe.runIf(IS_SOAK)('random events do not delay another tenant', () => {
  test('in any batch', async () => {
    for (let seed = 0; seed < repetitions({ short: 0, soak: 300 }); seed += 1) {
      await expectNoDelay(randomAttack(seed), 'submitEvents');
    }
  }, 3_600_000);
});

describe.each(Object.keys(EXPENSIVE_REQUESTS))('%s does not delay another tenant:', (operationId) => {
  test.each(attacksOn(operationId))('$name', (attack) => expectNoDelay(attack, operationId));
});
