import { join } from 'node:path';
import { type Detection, enrolDevice, openNodeAgent } from '@tps/agent';
import { createClient } from '@tps/client';
import { ACTIONS, type Action, type NewPolicy, THREAT_CATEGORIES } from '@tps/contract';
import { createTestEnrolment } from '@tps/testing/device';
import { newFolder } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

const service = useTestService();

const CATEGORIES = THREAT_CATEGORIES.slice(0, 3);
const policies = fc.array(
  fc.record({
    name: fc.constant('p'),
    threat_categories: fc.subarray(CATEGORIES, { minLength: 1 }),
    action: fc.constantFrom<Action>(...ACTIONS),
    confidence_threshold: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    enabled: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);
const detections = CATEGORIES.flatMap((threatCategory) =>
  [0, 0.25, 0.5, 0.7, 0.85, 0.9, 1].map((confidence): Detection => ({ threatCategory, confidence })),
);

/** A device with its agent, in a new tenant, which recorded each detection before the tenant had policies. */
async function startScene() {
  const tenant = await service.createTenant();
  const client = createClient({ baseUrl: service.baseUrl, credential: tenant.credential });
  const { secret } = await createTestEnrolment(service, { tenant });
  const directory = join(newFolder(), 'device');
  const { baseUrl } = service;
  const { tenantId } = tenant;
  await enrolDevice({ directory, baseUrl, tenantId, enrolmentCredential: secret, platform: 'linux' });
  const agent = await openNodeAgent({ directory, autonomous: false, statusEveryHours: 0, fsync: 'never' });
  onTestFinished(() => agent.close());
  for (const detection of detections) await agent.record(detection);
  expect(await agent.flush()).toBe(true);
  const actions = () => detections.map((detection) => agent.explain(detection).action);
  return { client, agent, actions };
}

function countsOf(actions: readonly Action[]): Record<Action, number> {
  const count = (wanted: Action) => actions.filter((action) => action === wanted).length;
  return { allow: count('allow'), warn: count('warn'), block: count('block') };
}

test('a simulation predicts what the agent then decides, for any policies and any change', async () => {
  const { client, agent, actions } = await startScene();
  await fc.assert(
    fc.asyncProperty(policies, policies, async (present, [wanted]) => {
      for await (const { policy_id } of client.policies.list()) await client.policies.archive(policy_id);
      const made = [];
      for (const policy of present) made.push(await client.policies.create(policy));
      await agent.refreshPolicies();
      const before = actions();

      const { name: _name, ...change } = wanted as NewPolicy;
      const policy_id = made[0]?.policy_id as string;
      const outcome = await client.policies.simulate({ policy_id, change });
      await client.policies.update(policy_id, change);
      await agent.refreshPolicies();
      const after = actions();

      const categories = new Set([
        ...(present[0]?.threat_categories ?? []),
        ...(change.threat_categories ?? []),
      ]);
      const isMatched = (_action: Action, index: number) =>
        categories.has(detections[index]?.threatCategory as never);
      expect(outcome.before).toEqual(countsOf(before.filter(isMatched)));
      expect(outcome.after).toEqual(countsOf(after.filter(isMatched)));
      const changed = before.filter((action, index) => action !== after[index]);
      expect(outcome.stricter + outcome.milder).toBe(changed.length);
    }),
    { numRuns: 15 },
  );
});
