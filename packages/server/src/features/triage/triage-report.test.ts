import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { playBelievable } from './testing/believable-case.ts';
import { runTriage } from './testing/run-triage.ts';
import { TriageScene } from './testing/triage-scene.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(async () => {
  await store.drop();
});

test('the report of a believable case reads as the file beside this, on either store', async () => {
  const scene = new TriageScene(store.database, 'harbour');
  const incidentId = await playBelievable(scene);
  const { artifacts } = await runTriage(store.database, scene.tenantId, [incidentId]);
  await expect(artifacts.triage_report).toMatchFileSnapshot('testing/believable-report.md');
});
