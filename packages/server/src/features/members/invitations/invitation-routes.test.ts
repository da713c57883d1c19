import { type CreatedInvitation, type Invitation, ROLE_SCOPES, SCOPES } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { listAudit, type TestAnswer, useTestService } from '@tps/testing/service';
import { dumpStore, holdsText } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import { purgeInvitations } from '../index.ts';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });
const tenant = useFixture(() => service.createTenant());

function send(
  method: string,
  path: string,
  {
    body,
    credential = tenant.credential,
    headers,
  }: { body?: object; credential?: string; headers?: Record<string, string> } = {},
) {
  return service.client.send(method, path, {
    credential,
    ...(body && { body }),
    ...(headers && { headers }),
  });
}

const invite = async (members: object = {}, options: { credential?: string } = {}) =>
  (await send('POST', '/invitations', { body: { role: 'viewer', ...members }, ...options }))
    .body as CreatedInvitation & { link: string };

function expectRefusal(answer: TestAnswer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: { status, code } });
}

describe('POST /invitations', () => {
  test('shows a link once, and stores only its hash', async () => {
    const body = { role: 'analyst', email: 'Kim@example.com' };
    const answer = await send('POST', '/invitations', { body });
    const { link, mail, ...created } = answer.body as CreatedInvitation & { link: string };
    expect(answer.status, answer.text).toBe(201);
    const id = created.invitation_id;
    expect(answer.headers.get('location')).toBe(`/invitations/${id}`);
    expect(created).toMatchObject({ role: 'analyst', email: 'Kim@example.com', status: 'pending' });
    expect(mail).toBe('none');
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(7 * 86_400_000);
    const [, secret = ''] =
      /^http:\/\/127\.0\.0\.1:\d+\/auth\/invitation\?token=([\w-]{32})$/.exec(link) ?? [];
    expect(secret).not.toBe('');
    expect((await send('GET', `/invitations/${id}`)).body).toEqual(created);
    expect((await send('GET', '/invitations')).text).not.toContain(secret);
    const dump = await dumpStore(service.store);
    expect({ holds: holdsText(dump, secret), sees: holdsText(dump, id) }).toEqual({
      holds: false,
      sees: true,
    });
    expect(service.log()).not.toContain(secret);
  });

  test('invites once per Idempotency-Key, and does not show the link again', async () => {
    const request = { body: { role: 'viewer' }, headers: { 'idempotency-key': 'one' } };
    const first = (await send('POST', '/invitations', request)).body as CreatedInvitation;
    const repeated = await send('POST', '/invitations', request);
    const { link, mail, ...metadata } = first;
    expect({ status: repeated.status, body: repeated.body }).toEqual({ status: 201, body: metadata });
    expect({ link: typeof link, mail }).toEqual({ link: 'string', mail: 'none' });
  });

  test('gives no role with scopes that the caller lacks, and records the attempt', async () => {
    const { tenantId } = tenant;
    const scopes = [...ROLE_SCOPES.viewer, 'members:write'] as const;
    const credential = await service.createCredential(tenantId, scopes);
    const refused = await send('POST', '/invitations', { body: { role: 'analyst' }, credential });
    expectRefusal(refused, 403, 'scope_escalation');
    expect(await listAudit(service, tenantId)).toContain('invitation.denied denied');
    expect((await invite({ role: 'viewer' }, { credential })).status).toBe('pending');
  });

  test.each([
    { role: 'owner' },
    { role: 'viewer', email: 'a@b.example\r\nBcc: c@d.example' },
    { role: 'viewer', email: 'a@b.example, c@d.example' },
    { role: 'viewer', email: '"a"@b.example' },
    { role: 'viewer', email: 'Kim <a@b.example>' },
    { role: 'viewer', expires_in_s: 30 * 86_400 + 1 },
    { role: 'viewer', expires_in_s: 0 },
  ])('rejects %j', async (body) => {
    expectRefusal(await send('POST', '/invitations', { body }), 400, 'invalid_field');
  });
});

test('an invitation by a token does not outlive the token', async () => {
  const endMs = clock.now() + 3_600_000;
  const credential = await service.createCredential(tenant.tenantId, SCOPES, endMs);
  const { expires_at: end } = await invite({ role: 'viewer' }, { credential });
  expect(Date.parse(end)).toBe(endMs);
  const { expires_at: earlier } = await invite({ role: 'viewer', expires_in_s: 60 }, { credential });
  expect(Date.parse(earlier)).toBe(clock.now() + 60_000);
});

describe('an invitation', () => {
  test('can be revoked, which a repeat does not change', async () => {
    const { invitation_id: id } = await invite();
    for (const _ of [1, 2]) expect((await send('DELETE', `/invitations/${id}`)).status).toBe(204);
    expect((await send('GET', `/invitations/${id}`)).body).toMatchObject({ status: 'revoked' });
    expect(await listAudit(service, id)).toEqual(['invitation.create success', 'invitation.revoke success']);
  });

  test('expires', async () => {
    const { invitation_id: id } = await invite({ expires_in_s: 60 });
    clock.advance(60_000);
    expect((await send('GET', `/invitations/${id}`)).body).toMatchObject({ status: 'expired' });
  });

  test('is deleted 30 days after its end', async () => {
    const { database } = service.service;
    const { invitation_id: id } = await invite({ expires_in_s: 60 });
    const statusAfter = async (ms: number) => {
      clock.advance(ms);
      await purgeInvitations(database, clock.now());
      return (await send('GET', `/invitations/${id}`)).status;
    };
    expect(await statusAfter(30 * 86_400_000)).toBe(200);
    expect(await statusAfter(60_001)).toBe(404);
  });

  test('of another tenant is not found', async () => {
    const other = await service.createTenant();
    const { invitation_id: id } = await invite({}, other);
    for (const method of ['GET', 'DELETE']) {
      expectRefusal(await send(method, `/invitations/${id}`), 404, 'not_found');
    }
    const { body } = await send('GET', '/invitations?limit=100');
    expect((body as { data: Invitation[] }).data.some((one) => one.invitation_id === id)).toBe(false);
  });
});
