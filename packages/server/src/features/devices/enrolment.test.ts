import { generateDeviceKey } from '@tps/agent';
import { type CreatedEnrolment, type Enrolment, SCOPES } from '@tps/contract';
import { codeOf, createTestEnrolment, enrolTestDevice, sendEnrolment } from '@tps/testing/device';
import { listAudit, startTestService, type TestAnswer, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, onTestFinished, test } from 'vitest';

const service = useTestService();

const outcomeOf = (answer: TestAnswer) => [answer.status, codeOf(answer)];

async function readEnrolment(id: string): Promise<Enrolment> {
  return (await service.client.send('GET', `/enrolments/${id}`, service.tenant)).body as Enrolment;
}

describe('an enrolment secret', () => {
  test('is shown once and counts what it registers', async () => {
    const { secret, ...created } = await createTestEnrolment(service, { max_uses: 2 });
    expect(created).toMatchObject({ max_uses: 2, uses: 0, status: 'active', revoked_at: null });
    expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{39}$/);
    await enrolTestDevice(service, secret);
    const read = await readEnrolment(created.enrolment_id);
    expect(read).toMatchObject({ name: created.name, max_uses: 2, uses: 1 });
    expect(JSON.stringify(read)).not.toContain(secret);
    const list = await service.client.send('GET', '/enrolments', service.tenant);
    expect(list.text).toContain(created.enrolment_id);
    expect(list.text).not.toContain(secret);
    expect((await service.client.send('GET', '/tokens', service.tenant)).text).not.toContain(
      created.enrolment_id,
    );
    expect(service.log()).not.toContain(secret);
  });

  test('registers a device, which gets a credential that is bound to it', async () => {
    const { secret, enrolment_id } = await createTestEnrolment(service);
    const { deviceId, answer, registered } = await sendEnrolment(service, secret);
    expect(answer.status).toBe(201);
    const { credential } = registered;
    const days = (Date.parse(credential?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const renewDays = (Date.parse(credential?.renew_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(renewDays)).toBe(60);
    const tokens = await service.client.send('GET', `/tokens?device_id=${deviceId}`, service.tenant);
    expect(tokens.body).toMatchObject({
      data: [{ token_id: credential?.token_id, device_id: deviceId, created_by: enrolment_id }],
    });
    expect((await service.client.send('GET', '/tokens', service.tenant)).text).not.toContain(deviceId);
    const entries = await listAudit(service, deviceId);
    expect(entries.sort()).toEqual(['device.enrol success', 'device.register success']);
  });

  test('is not used up by a repeat of the same device and key, which gets another credential', async () => {
    const { secret, enrolment_id } = await createTestEnrolment(service, { max_uses: 1 });
    const { deviceId, key, registered } = await sendEnrolment(service, secret);
    const again = await sendEnrolment(service, secret, { deviceId, key });
    expect(again.answer.status).toBe(200);
    expect(again.registered.credential?.token).not.toBe(registered.credential?.token);
    expect(await readEnrolment(enrolment_id)).toMatchObject({ uses: 1 });
    const first = { credential: registered.credential?.token ?? '' };
    expect((await service.client.send('GET', `/devices/${deviceId}`, first)).status).toBe(401);
  });

  test('refuses the device after the last use, which stays unregistered, and audits the attempt', async () => {
    const { secret, enrolment_id } = await createTestEnrolment(service, { max_uses: 1 });
    await enrolTestDevice(service, secret);
    const refused = await sendEnrolment(service, secret);
    expect(outcomeOf(refused.answer)).toEqual([403, 'enrolment_exhausted']);
    const read = await service.client.send('GET', `/devices/${refused.deviceId}`, service.tenant);
    expect(read.status).toBe(404);
    expect(await listAudit(service, refused.deviceId)).toEqual(['device.enrol denied']);
    expect(await readEnrolment(enrolment_id)).toMatchObject({ uses: 1 });
  });

  test('registers exactly as many of the devices that race for it as it has uses', async () => {
    const { secret, enrolment_id } = await createTestEnrolment(service, { max_uses: 25 });
    const key = await generateDeviceKey('ed25519');
    const enrol = async (deviceId: string): Promise<unknown> => {
      const { answer } = await sendEnrolment(service, secret, { deviceId, key });
      // A store that is too busy answers 503, and the device tries again.
      return answer.status === 503 ? enrol(deviceId) : (codeOf(answer) ?? answer.status);
    };
    const racing = Array.from({ length: 250 }, (_, index) => enrol(`dev_racing-${index}`));
    const codes = await Promise.all(racing);
    expect(codes.filter((code) => code === 201)).toHaveLength(25);
    expect(codes.filter((code) => code === 'enrolment_exhausted')).toHaveLength(225);
    expect(await readEnrolment(enrolment_id)).toMatchObject({ uses: 25 });
  });

  test('counts one use for concurrent repeats of one device', async () => {
    const { secret, enrolment_id } = await createTestEnrolment(service, { max_uses: 10 });
    const key = await generateDeviceKey('ed25519');
    const deviceId = 'dev_repeats-at-once';
    const sent = Array.from({ length: 8 }, () => sendEnrolment(service, secret, { deviceId, key }));
    const statuses = (await Promise.all(sent)).map(({ answer }) => answer.status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(await readEnrolment(enrolment_id)).toMatchObject({ uses: 1 });
    const tokens = await service.client.send('GET', `/tokens?device_id=${deviceId}`, service.tenant);
    expect((tokens.body as { data: unknown[] }).data).toHaveLength(1);
  });

  test('never takes over a device that has another key', async () => {
    const { secret } = await createTestEnrolment(service);
    const { deviceId } = await enrolTestDevice(service, secret);
    const thief = await sendEnrolment(service, secret, { deviceId });
    expect(outcomeOf(thief.answer)).toEqual([409, 'device_key_conflict']);
    expect(thief.answer.text).not.toContain('svc_');
  });

  test('ends when it is revoked or expires, and the devices that it registered stay', async () => {
    const clock = new ManualClock(Date.now());
    const still = await startTestService({ clock });
    onTestFinished(() => still.stop());
    const { secret, enrolment_id } = await createTestEnrolment(still);
    const device = await enrolTestDevice(still, secret);
    const revoked = await still.client.send('DELETE', `/enrolments/${enrolment_id}`, still.tenant);
    expect(revoked.status).toBe(204);
    expect((await listAudit(still, enrolment_id)).sort()).toEqual([
      'enrolment.create success',
      'enrolment.revoke success',
    ]);
    const { secret: second } = await createTestEnrolment(still, {
      expires_at: new Date(clock.now() + 60_000).toISOString(),
    });
    clock.advance(60_000);
    for (const ended of [secret, second]) {
      const { answer } = await sendEnrolment(still, ended);
      expect(outcomeOf(answer)).toEqual([401, 'invalid_credentials']);
    }
    const own = { credential: device.credential.token };
    expect((await still.client.send('GET', `/devices/${device.deviceId}`, own)).status).toBe(200);
  });

  test('ends a year ahead at most, and in a week by default', async () => {
    const { credential } = service.tenant;
    const create = (body: object) =>
      service.client.send('POST', '/enrolments', { credential, body: { name: 'n', ...body } });
    for (const daysAhead of [-1, 0, 366]) {
      const expires_at = new Date(Date.now() + daysAhead * 86_400_000).toISOString();
      expect(outcomeOf(await create({ expires_at }))).toEqual([400, 'invalid_field']);
    }
    for (const max_uses of [0, 100_001]) {
      expect(outcomeOf(await create({ max_uses }))).toEqual([400, 'invalid_field']);
    }
    const created = (await create({})).body as CreatedEnrolment;
    expect(Math.round((Date.parse(created.expires_at) - Date.now()) / 86_400_000)).toBe(7);
    expect(created.max_uses).toBe(1);
  });

  test('does not outlive the token that creates it', async () => {
    const endsAtMs = Date.now() + 3_600_000;
    const credential = await service.createCredential(service.tenant.tenantId, SCOPES, endsAtMs);
    const create = (body: object) =>
      service.client.send('POST', '/enrolments', { credential, body: { name: 'n', ...body } });
    const created = (await create({})).body as CreatedEnrolment;
    expect(Date.parse(created.expires_at)).toBe(endsAtMs);
    const expires_at = new Date(endsAtMs + 1000).toISOString();
    expect(outcomeOf(await create({ expires_at }))).toEqual([403, 'scope_escalation']);
  });

  test('is not created by a token that lacks a scope of its devices', async () => {
    const { tenantId } = service.tenant;
    const needed = ['devices:read', 'devices:write', 'events:write', 'status:read'] as const;
    const body = { name: 'n' };
    for (const missing of needed.filter((scope) => scope !== 'devices:write')) {
      const scopes = SCOPES.filter((scope) => scope !== missing);
      const credential = await service.createCredential(tenantId, scopes);
      const refused = await service.client.send('POST', '/enrolments', { credential, body });
      expect(outcomeOf(refused), missing).toEqual([403, 'scope_escalation']);
      expect(refused.text).toContain(missing);
    }
    const credential = await service.createCredential(tenantId, needed);
    expect((await service.client.send('POST', '/enrolments', { credential, body })).status).toBe(201);
  });

  test('of another tenant registers no device here', async () => {
    const other = await service.createTenant();
    const { secret } = await createTestEnrolment(service, { tenant: other });
    const { answer, deviceId } = await sendEnrolment(service, secret);
    expect(outcomeOf(answer)).toEqual([403, 'tenant_mismatch']);
    expect((await service.client.send('GET', `/devices/${deviceId}`, service.tenant)).status).toBe(404);
  });

  test('is refused in a URL and in a body', async () => {
    const { secret } = await createTestEnrolment(service);
    const { credential } = service.tenant;
    const inUrl = await service.client.send('GET', `/devices?status=${secret}`, { credential });
    expect(outcomeOf(inUrl)).toEqual([400, 'credential_in_query']);
    const body = { name: secret, max_uses: 1 };
    const inBody = await service.client.send('POST', '/enrolments', { credential, body });
    expect(outcomeOf(inBody)).toEqual([400, 'credential_in_query']);
  });
});

test('failed enrolments from one address are limited like failed authentication', async () => {
  const limited = await startTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: '6' } });
  onTestFinished(() => limited.stop());
  const tenant = await limited.createTenant();
  await limited.service.database.transaction((tx) =>
    tx.db
      .updateTable('tenants')
      .set({ rate_limit_per_minute: 1000 })
      .where('tenant_id', '=', tenant.tenantId)
      .execute(),
  );
  const { secret } = await createTestEnrolment(limited, { tenant });
  const { deviceId } = await enrolTestDevice(limited, secret, tenant);
  const outcomes: unknown[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const { answer } = await sendEnrolment(limited, secret, { tenant, deviceId });
    outcomes.push(answer.status);
  }
  expect(outcomes).toEqual([409, 409, 409, 409, 409, 409, 429, 429]);
  // A genuine enrolment behind the same address is not slowed down.
  await enrolTestDevice(limited, secret, tenant);
});
