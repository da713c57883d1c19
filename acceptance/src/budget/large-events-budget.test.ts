import { TRIAGE_WORKFLOW } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { describe, test } from 'vitest';
import { createHeavyAttacker } from './attacker.ts';
import { type Attack, many, withBody } from './attacks.ts';
import { useBudget } from './use-budget.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const attacker = useFixture(() => createHeavyAttacker(service));
const expectNoDelay = useBudget(service, attacker);

/** Resolves when no recovery is under way. */
async function recoveriesDone(): Promise<void> {
  const { read } = service.service.database;
  await waitUntil(async () => {
    const rows = await read.db.selectFrom('webhook_recoveries').select('webhook_id').limit(1).execute();
    return rows.length === 0;
  }, 60_000);
}

/** What reads whole events in the background, by the operation that starts it. */
const REQUESTS: readonly (readonly [operationId: string, attack: Attack])[] = [
  [
    'createJob',
    withBody(
      'triage of their incident',
      ({ ids, manyRefs }) => ({ workflow_id: TRIAGE_WORKFLOW, input_refs: [ids.incident, ...manyRefs] }),
      { settled: (subject) => subject.jobsDone() },
    ),
  ],
  ['recoverWebhook', { ...many(1, {}, 'the deliveries of every event'), settled: recoveriesDone }],
];

describe('with events of 41 kB, another tenant is not delayed by', () => {
  test.each(REQUESTS.map(([operationId, attack]) => [operationId, attack.name, attack] as const))(
    '%s: %s',
    (operationId, _, attack) => expectNoDelay(attack, operationId),
  );
});
