import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { IS_SOAK, repetitions } from '@tps/testing/soak';
import { describe, expect, test } from 'vitest';
import { documentedOperations } from '../api/openapi-document.ts';
import { createAttacker } from './attacker.ts';
import { randomAttack } from './attacks.ts';
import { attacksOn, EXPENSIVE_REQUESTS } from './expensive-requests.ts';
import { useBudget } from './use-budget.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const attacker = useFixture(() => createAttacker(service));
const expectNoDelay = useBudget(service, attacker);

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
