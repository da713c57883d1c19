import { generateDeviceKey } from '@tps/agent';
import { type CreatedToken, type Incident, SCOPES } from '@tps/contract';
import { signRequest } from '@tps/signatures';
import { codeOf, registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { sendHead, type TestTenant, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();

async function listIncidents({ credential }: TestTenant): Promise<Incident[]> {
  const answer = await service.client.send('GET', '/incidents?category=monitoring', { credential });
  return (answer.body as { data: Incident[] }).data;
}

test('ten forged requests for a device open an incident of its tenant, and of no other', async () => {
  const device = await registerTestDevice(service);
  const other = await service.createTenant();
  const forger = { ...device, key: await generateDeviceKey('ed25519') };
  for (let count = 1; count <= 10; count += 1) {
    expect(await listIncidents(service.tenant)).toEqual([]);
    expect(codeOf(await signedSend(service, forger, device.event()))).toBe('invalid_signature');
  }
  // The incident is written after the response.
  await expect.poll(() => listIncidents(service.tenant)).toHaveLength(1);
  expect(await listIncidents(service.tenant)).toMatchObject([
    { category: 'monitoring', device_ids: [device.deviceId] },
  ]);
  expect(await listIncidents(other)).toEqual([]);
  expect((await device.post(device.event())).status).toBe(201);
});

/** Sends the head of an event that another key has signed. */
async function sendForgedHead(device: TestDevice, credential: string) {
  const { privateKey, algorithm } = await generateDeviceKey('ed25519');
  const body = JSON.stringify(device.event());
  const headers = await signRequest(
    { method: 'POST', path: '/events', authority: new URL(service.baseUrl).host, body: Buffer.from(body) },
    { privateKey, algorithm, keyId: device.deviceId, tag: 'tps-event' },
  );
  return sendHead(service, { method: 'POST', path: '/events', credential, body, headers: { ...headers } });
}

test('forged requests open no incident once their credential is revoked', async () => {
  const tenant = await service.createTenant();
  const [device, other] = [
    await registerTestDevice(service, { tenant }),
    await registerTestDevice(service, { tenant }),
  ];
  const made = await service.client.send('POST', '/tokens', {
    credential: tenant.credential,
    body: { name: 'sender', scopes: SCOPES },
  });
  const { token = '', token_id: tokenId } = made.body as CreatedToken;
  const forged: Awaited<ReturnType<typeof sendHead>>[] = [];
  for (let count = 0; count < 14; count += 1) forged.push(await sendForgedHead(device, token));
  await service.service.database.transaction((tx) =>
    tx.db.updateTable('tokens').set({ revoked_at: 1 }).where('token_id', '=', tokenId).execute(),
  );
  for (const request of forged) {
    const answer = await request.finish();
    expect(answer.text).toContain('"invalid_credentials"');
    expect(answer.status).toBe(401);
  }

  const forge = (of: TestDevice) => signedSend(service, of, of.event(), { signed: { body: 'another' } });
  // Incidents are written one after another: when this one is there, the earlier ones are done.
  for (let count = 0; count < 10; count += 1) await forge(other);
  await expect.poll(() => listIncidents(tenant)).not.toEqual([]);
  expect(await listIncidents(tenant)).toMatchObject([{ device_ids: [other.deviceId] }]);
  expect(service.log()).not.toContain('signature failure alert failed');
  expect(codeOf(await forge(device))).toBe('invalid_signature');
  await expect.poll(() => listIncidents(tenant)).toHaveLength(2);
});
