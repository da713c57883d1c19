import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { verifyStore } from './verify-store.ts';

const service = useTestService();

test('tokens of the console match the log after a change of role, and wider ones are reported', async () => {
  const { accountId } = await createPerson(service, { role: 'analyst' });
  const secret = await startSession(service, { accountId });
  await exchangeSession(service, secret);
  const { credential } = service.tenant;
  await service.client.send('PATCH', `/members/${accountId}`, { credential, body: { role: 'viewer' } });
  await exchangeSession(service, secret);
  expect((await verifyStore(service.store.url)).problems).toEqual([]);
  await service.service.database.transaction((tx) =>
    tx.db
      .updateTable('tokens')
      .set({ scopes: '["tokens:write"]' })
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .execute(),
  );
  const { problems } = await verifyStore(service.store.url);
  expect(problems).toEqual([
    expect.stringContaining('has the scope tokens:write, which its grant does not give'),
  ]);
});
