import { type Incident, ROLE_SCOPES, type Role } from '@tps/contract';
import { codeOf, registerTestDevice, type TestDevice } from '@tps/testing/device';
import { createPerson, createPersonCredential, type TestPerson, useTestService } from '@tps/testing/service';
import { beforeEach, expect, test } from 'vitest';

let device: TestDevice;
let incident: Incident;

const service = useTestService();

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
  await device.post(device.event());
  const answer = await send('GET', '/incidents');
  [incident] = (answer.body as { data: [Incident] }).data;
});

const send = (method: string, path: string, body?: object, credential = device.tenant.credential) =>
  service.client.send(method, path, { credential, ...(body && { body }) });
const assign = (assignee: string | null, credential?: string) =>
  send('PATCH', `/incidents/${incident.id}`, { assignee }, credential);

/** A member of the tenant, with the credential of their session. */
async function addMember(role: Role): Promise<TestPerson & { credential: string }> {
  const { tenantId } = device.tenant;
  const person = await createPerson(service, { tenantId, role });
  const { accountId } = person;
  const scopes = ROLE_SCOPES[role];
  return { ...person, credential: await createPersonCredential(service, { accountId, tenantId, scopes }) };
}

test('a person takes an incident, and the incident has their name', async () => {
  const person = await addMember('analyst');
  const answer = await assign('me', person.credential);
  expect(answer.body).toMatchObject({ assignee: person.accountId, assignee_name: person.name });
  expect((answer.body as Incident).timeline.at(-1)).toMatchObject({
    actor: person.accountId,
    actor_name: person.name,
    message: `Assigned to ${person.name}`,
  });
});

test('a token has no person to assign to, and its name is in the timeline', async () => {
  expect(codeOf(await assign('me'))).toBe('invalid_field');
  const entry = ((await assign('Team North')).body as Incident).timeline.at(-1);
  expect(entry).toMatchObject({ actor_name: 'test', message: 'Assigned to Team North' });
});

test('a person finds their own incidents, and a token has none', async () => {
  const person = await addMember('analyst');
  await device.post(device.event({ threat_category: 'deepfake' }));
  await assign('me', person.credential);
  const mine = await send('GET', '/incidents?assignee=me', undefined, person.credential);
  expect((mine.body as { data: Incident[] }).data.map(({ id }) => id)).toEqual([incident.id]);
  const others = await send('GET', '/incidents/counts?assignee=!me', undefined, person.credential);
  expect(others.body).toMatchObject({ total: 1 });
  expect(codeOf(await send('GET', '/incidents?assignee=me'))).toBe('invalid_parameter');
});

test('an incident cannot be assigned to a member of another tenant', async () => {
  const stranger = await createPerson(service, { tenantId: (await service.createTenant()).tenantId });
  const refused = await assign(stranger.accountId);
  expect([refused.status, codeOf(refused)]).toEqual([400, 'invalid_field']);
  const colleague = await addMember('viewer');
  expect((await assign(colleague.accountId)).body).toMatchObject({ assignee_name: colleague.name });
});

test('a person who has left the tenant has no name there any more', async () => {
  const person = await addMember('analyst');
  await assign('me', person.credential);
  await send('DELETE', `/members/${person.accountId}`);
  const after = (await send('GET', `/incidents/${incident.id}`)).body as Incident;
  expect(after).toMatchObject({ assignee: person.accountId, assignee_name: null });
  expect(after.timeline.at(-1)).toMatchObject({ actor: person.accountId, actor_name: null });
});

test('the members who work on incidents are listed without their addresses', async () => {
  const [analyst, admin] = [await addMember('analyst'), await addMember('admin')];
  const viewer = await addMember('viewer');
  const answer = await send('GET', '/incidents/assignees', undefined, viewer.credential);
  expect(answer.body).toMatchObject({
    data: [
      { account_id: analyst.accountId, name: analyst.name, role: 'analyst' },
      { account_id: admin.accountId, name: admin.name, role: 'admin' },
    ],
    next_cursor: null,
  });
  expect(answer.text).not.toContain('@');
});
