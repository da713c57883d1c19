import { createTestEnrolment, enrolTestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { verifyStore } from './verify-store.ts';

const service = useTestService();

/** Enrols a device, ends its credential, and makes the credential active again in the store. */
async function revive(end: (device: { deviceId: string; tokenId: string }) => Promise<unknown>) {
  const { secret } = await createTestEnrolment(service);
  const { deviceId, credential } = await enrolTestDevice(service, secret);
  const { token_id: tokenId } = credential;
  await end({ deviceId, tokenId });
  expect((await verifyStore(service.store.url)).problems).toEqual([]);
  const setEnd = (atMs: number | null) =>
    service.service.database.transaction((tx) =>
      tx.db.updateTable('tokens').set({ revoked_at: atMs }).where('token_id', '=', tokenId).execute(),
    );
  await setEnd(null);
  const { problems } = await verifyStore(service.store.url);
  await setEnd(Date.now());
  return { problems, tokenId };
}

test('a revoked credential of a device that is active again is reported', async () => {
  const { credential } = service.tenant;
  const { problems, tokenId } = await revive((device) =>
    service.client.send('DELETE', `/tokens/${device.tokenId}`, { credential }),
  );
  expect(problems).toEqual([
    expect.stringContaining(`token ${tokenId} is active, but according to the audit log it is not`),
  ]);
});

test('an active credential of a revoked device is reported', async () => {
  const { credential } = service.tenant;
  const body = { status: 'revoked' };
  const { problems, tokenId } = await revive((device) =>
    service.client.send('PATCH', `/devices/${device.deviceId}`, { credential, body }),
  );
  expect(problems).toEqual([
    expect.stringContaining(
      `token ${tokenId} is active, but according to the audit log its device is revoked`,
    ),
  ]);
});
