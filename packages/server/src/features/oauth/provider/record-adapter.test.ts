import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import * as consentStore from '../consent/consent-store.ts';
import { createGrantId } from '../grant-id.ts';
import { RecordAdapter } from './record-adapter.ts';

const running = useTestService();

test('a grant begins only while the consent of its person exists', async () => {
  const { tenantId } = running.tenant;
  const { database } = running.service;
  const { accountId } = await createPerson(running);
  const adapter = new RecordAdapter('Grant', {
    database,
    clock: new ManualClock(Date.now()),
    invalidGrant: (reason) => new Error(reason),
    tooLarge: () => new Error('too large'),
    context: () => undefined,
    peerOf: () => '127.0.0.1',
  });
  const clientId = 'tps-cli';
  const begin = () => adapter.upsert(createGrantId(tenantId), { accountId, clientId });
  const consent = { tenantId, accountId, clientId, scopes: [], grantedAtMs: 1, latest: null };
  await database.transaction((tx) => consentStore.save(tx, consent));
  await begin();
  // Withdrawn, or ended by the first proof of the person's address, between the consent and the grant.
  await database.transaction((tx) => consentStore.remove(tx, consent));
  await expect(begin()).rejects.toThrow('has ended');
});
