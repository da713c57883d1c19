import { createTestEnrolment, enrolTestDevice, sendEnrolment, signedSend } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import type { Queries } from '../../database/index.ts';

const service = useTestService();

/** Begins a request while a transaction holds one lock, and lets this take another once the request waits for it. */
async function duringTransaction<Answer>(
  begin: (tx: Queries) => Promise<unknown>,
  request: () => Promise<Answer>,
  finish: (tx: Queries) => Promise<unknown>,
): Promise<Answer> {
  const { answer } = await service.service.database.transaction(async (tx) => {
    await begin(tx);
    const answer = request();
    await waitUntil(async () => (await countWaiting(service.service.database.read)) === 1);
    await finish(tx);
    return { answer };
  });
  return answer;
}

// On SQLite transactions follow one another.
describe.runIf(process.env.TEST_STORE === 'postgres')('an enrolment does not deadlock', () => {
  test('with an event that the device sends with its earlier credential', async () => {
    const { secret } = await createTestEnrolment(service);
    const { deviceId, key, credential } = await enrolTestDevice(service, secret);
    const again = await duringTransaction(
      (tx) =>
        tx.db
          .selectFrom('tokens')
          .select('token_id')
          .where('token_id', '=', credential.token_id)
          .forKeyShare()
          .execute(),
      () => sendEnrolment(service, secret, { deviceId, key }),
      (tx) =>
        tx.db
          .updateTable('device_states')
          .set({ last_seen_at: 1 })
          .where('device_id', '=', deviceId)
          .execute(),
    );
    expect(again.answer.status).toBe(200);
  });

  test('with the revocation of its secret', async () => {
    const { secret, enrolment_id } = await createTestEnrolment(service);
    const enrolled = await duringTransaction(
      (tx) =>
        tx.db
          .selectFrom('tokens')
          .select('token_id')
          .where('token_id', '=', enrolment_id)
          .forNoKeyUpdate()
          .execute(),
      () => sendEnrolment(service, secret),
      (tx) =>
        tx.db
          .selectFrom('audit_heads')
          .select('position')
          .where('tenant_id', '=', service.tenant.tenantId)
          .forNoKeyUpdate()
          .execute(),
    );
    expect(enrolled.answer.status).toBe(201);
  });

  test('with the renewal of the credential that it ends, which is refused', async () => {
    const { secret } = await createTestEnrolment(service);
    const device = await enrolTestDevice(service, secret);
    const { deviceId, key, tenant } = device;
    for (let round = 0; round < 10; round += 1) {
      const { answer, registered } = await sendEnrolment(service, secret, { deviceId, key });
      expect(answer.status).toBe(200);
      const [again, renewed] = await Promise.all([
        sendEnrolment(service, secret, { deviceId, key }),
        signedSend(
          service,
          device,
          { tenant_id: tenant.tenantId },
          {
            path: `/devices/${deviceId}/credential`,
            credential: registered.credential?.token ?? '',
            signer: { tag: 'tps-renew' },
          },
        ),
      ]);
      expect(again.answer.status, again.answer.text).toBe(200);
      expect([200, 201, 401], renewed.text).toContain(renewed.status);
    }
  });
});
