import type { CreatedEnrolment } from '@tps/client';
import { startTestService } from '@tps/testing/service';
import { createTpsUser } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';

test('a device that enrols with a secret sends with its own credential, without any other', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: service.tenant.credential });
  const create = ['enrolments', 'create', '--name', 'Phones', '--uses', '2', '--expires', '24h'];
  const created = await user.json<CreatedEnrolment>(...create);
  const { secret = '', tenant_id: tenantId } = created;
  const device = createTpsUser();
  const env = { TPS_URL: service.baseUrl, TPS_TENANT: tenantId };
  const enrol = ['agent', 'enrol', '--directory', 'phone', '--platform', 'android'];
  const enrolled = await device.run(enrol, { env: { ...env, TPS_ENROLMENT_CREDENTIAL: secret } });
  expect({ stderr: enrolled.stderr, code: enrolled.code }).toEqual({ stderr: '', code: 0 });
  const send = ['events', 'send', '--directory', 'phone', '--category', 'phishing', '--confidence', '0.95'];
  const sent = await device.run([...send, '--json'], { env });
  expect(JSON.parse(sent.stdout)).toMatchObject({ delivered: true });
  const { enrolment_id: id } = created;
  expect(await user.json('enrolments', 'show', id)).toMatchObject({ uses: 1, max_uses: 2 });
  await user.runWell('enrolments', 'revoke', id);
  const refused = await device.run([...enrol, '--directory', 'other'], {
    env: { ...env, TPS_ENROLMENT_CREDENTIAL: secret },
  });
  expect(refused.code).not.toBe(0);
  expect(JSON.parse((await device.run([...send, '--json'], { env })).stdout)).toMatchObject({
    delivered: true,
  });
});
