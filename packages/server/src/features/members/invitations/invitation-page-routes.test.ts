import type { CreatedInvitation, Member } from '@tps/contract';
import { signIn as enterPassword, FormBrowser } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, listAudit, type TestTenant, useTestService } from '@tps/testing/service';
import { dumpStore, holdsText } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';
import { type AccountId, accountStore, removeAccount } from '../../accounts/index.ts';
import { TenantDeletion } from '../../tenants/index.ts';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });
const tenant = useFixture(() => service.createTenant());

const PASSWORD = 'a long enough password';
let people = 0;
/** What a new person enters. */
const newPerson = () => {
  people += 1;
  return { name: 'Kim Example', email: `kim-${people}@example.com`, password: PASSWORD };
};

const browser = () => new FormBrowser(service.baseUrl);

async function invite(members: object = {}, { credential }: TestTenant = tenant) {
  const body = { role: 'viewer', ...members };
  const answer = await service.client.send('POST', '/invitations', { credential, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as CreatedInvitation & { link: string };
}

const members = async ({ credential }: TestTenant = tenant) =>
  ((await service.client.send('GET', '/members?limit=100', { credential })).body as { data: Member[] }).data;

const roleOf = async (email: string, of: TestTenant = tenant) =>
  (await members(of)).find((member) => member.email === email)?.role;

async function signIn(person: { email: string; password: string }): Promise<FormBrowser> {
  const own = browser();
  await enterPassword(own, person);
  return own;
}

describe('the page of an invitation', () => {
  test('creates an account that is a member and signed in', async () => {
    const { link, invitation_id: id } = await invite({ role: 'analyst' });
    const own = browser();
    const page = await own.open(link);
    expect(page.text).toContain('other');
    expect(page.text).toContain('analyst');
    const person = newPerson();
    await own.submit(page, person);
    const member = (await members()).find(({ email }) => email === person.email);
    expect(member).toMatchObject({ role: 'analyst', name: 'Kim Example', last_seen_at: expect.any(String) });
    const { credential } = tenant;
    const accepted = await service.client.send('GET', `/invitations/${id}`, { credential });
    expect(accepted.body).toMatchObject({ status: 'accepted', accepted_by: member?.account_id });
    expect(await listAudit(service, member?.account_id ?? '')).toEqual([
      'account.create success',
      'member.create success',
    ]);
    const secret = new URL(link).searchParams.get('token') ?? '';
    const dump = await dumpStore(service.store);
    expect({ holds: holdsText(dump, secret), sees: holdsText(dump, id) }).toEqual({
      holds: false,
      sees: true,
    });
    expect(service.log()).not.toContain(secret);
  });

  test('gives the browser no separate count of failures: the person has not signed in there', async () => {
    const { link } = await invite();
    const [own, person] = [browser(), newPerson()];
    await own.submit(await own.open(link), person);
    await own.submit(await own.open('/auth/logout'));
    const guess = { ...person, password: 'a wrong password' };
    for (let times = 0; times < 5; times += 1) await enterPassword(browser(), guess);
    expect((await enterPassword(own, person)).status).toBe(429);
    clock.advance(1000);
    expect((await enterPassword(own, person)).status).toBe(200);
    await own.submit(await own.open('/auth/logout'));
    for (let times = 0; times < 5; times += 1) await enterPassword(browser(), guess);
    expect((await enterPassword(own, person)).status).toBe(200);
  });

  test('can be opened any number of times before it is accepted', async () => {
    const { link } = await invite();
    for (let times = 0; times < 3; times += 1) expect((await browser().open(link)).status).toBe(200);
    const [own, person] = [browser(), newPerson()];
    await own.submit(await own.open(link), person);
    expect(await roleOf(person.email)).toBe('viewer');
  });

  test('lets a person join with an existing account', async () => {
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    const { link } = await invite({ email: person.email.toUpperCase() });
    const own = browser();
    const login = (await own.open(link)).links.find(({ url }) => url.pathname.endsWith('/login'));
    const page = await own.open(login?.url ?? '');
    const { email, password } = person;
    const back = await own.submit(page, { email, password });
    await own.submit(back, {}, { button: `Join as ${email}` });
    expect(await roleOf(email)).toBe('viewer');
  });

  test('raises the role of a member, and never lowers it', async () => {
    const person = await createPerson(service, { ...tenant, role: 'analyst', nowMs: clock.now() });
    const own = await signIn(person);
    const lower = await invite({ role: 'viewer' });
    expect((await own.submit(await own.open(lower.link))).text).toContain('nothing has changed');
    expect(await roleOf(person.email)).toBe('analyst');
    await own.submit(await own.open((await invite({ role: 'admin' })).link));
    expect(await roleOf(person.email)).toBe('admin');
  });

  test('keeps what was entered when something is wrong with it', async () => {
    const { link } = await invite();
    const own = browser();
    const person = newPerson();
    const short = await own.submit(await own.open(link), { ...person, password: 'short' });
    expect(short.status).toBe(422);
    expect(short.text).toContain('at least 12 characters');
    await own.submit(short, { password: PASSWORD });
    expect(await roleOf(person.email)).toBe('viewer');
  });
});

describe('an invitation', () => {
  test('that is unknown, used, revoked, expired or of a deleted tenant looks the same', async () => {
    const { credential } = tenant;
    const used = await invite();
    const own = browser();
    await own.submit(await own.open(used.link), newPerson());
    const revoked = await invite();
    await service.client.send('DELETE', `/invitations/${revoked.invitation_id}`, { credential });
    const expired = await invite({ expires_in_s: 60 });
    clock.advance(60_000);
    const other = await service.createTenant();
    const deleted = await invite({}, other);
    await new TenantDeletion({ database: service.service.database, clock }).begin(other.tenantId, 1);
    const unknown = used.link.replace(/token=.{4}/, 'token=AAAA');
    const links = [unknown, used.link, revoked.link, expired.link, deleted.link, '/auth/invitation'];
    const answers = await Promise.all(
      links.map(async (link) => {
        const { status, text } = await browser().open(link);
        return `${status} ${text.replace(/req_\w+/, '')}`;
      }),
    );
    expect(new Set(answers).size, answers.join('\n')).toBe(1);
    expect(answers[0]).toMatch(/^404 .*not valid/s);
  });

  test('is used by one of many people who accept it at once', async () => {
    const { link } = await invite({ role: 'admin' });
    const rivals = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const own = browser();
        return { own, page: await own.open(link), person: newPerson() };
      }),
    );
    const pages = await Promise.all(rivals.map(({ own, page, person }) => own.submit(page, person)));
    const roles = await Promise.all(rivals.map(({ person }) => roleOf(person.email)));
    expect(roles.filter((role) => role === 'admin')).toHaveLength(1);
    // None of the others has an account now.
    const { db } = service.service.database.read;
    const emails = rivals.map(({ person }) => person.email);
    const accounts = await db.selectFrom('accounts').select('email').where('email', 'in', emails).execute();
    expect(accounts).toHaveLength(1);
    expect(pages.filter(({ title }) => title.includes('not valid'))).toHaveLength(3);
  });

  test('for one address cannot be accepted with another one', async () => {
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    const { link } = await invite({ email: 'invited@example.com' });
    const own = await signIn(person);
    const page = await own.open(link);
    expect(page.text).toContain('This invitation is for invited@example.com');
    const token = new URL(link).searchParams.get('token') ?? '';
    const [formToken] = page.forms[0]?.fields.find(([name]) => name === 'form_token')?.slice(1) ?? [];
    const forged = { form_token: formToken ?? '', token, action: 'join' };
    expect((await own.post('/auth/invitation', forged)).status).toBe(403);
    expect(await roleOf(person.email)).toBeUndefined();
    // A new account gets the invited address, also if another one is sent.
    const { name, password } = newPerson();
    const body = { ...forged, action: 'create', email: 'other@example.com', name, password };
    await own.post('/auth/invitation', body);
    expect(await roleOf('other@example.com')).toBeUndefined();
    expect(await roleOf('invited@example.com')).toBe('viewer');
  });

  test('makes no member of an account that is deleted at the same time', async () => {
    const { database } = service.service;
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    const own = await signIn(person);
    const page = await own.open((await invite()).link);
    const joining = await database.transaction(async (tx) => {
      await accountStore.findForUpdate(tx, person.accountId);
      const answer = own.submit(page, {}, { button: `Join as ${person.email}` });
      // Time enough for the request to reach the account.
      for (let round = 0; round < 50; round += 1) await roleOf(person.email);
      await removeAccount(tx, person.accountId as AccountId, clock.now());
      return { answer };
    });
    await joining.answer;
    const { db } = database.read;
    const rows = db.selectFrom('memberships').selectAll().where('account_id', '=', person.accountId);
    expect(await rows.execute()).toEqual([]);
  });

  test('is not accepted by a session that ends at the same time', async () => {
    const { database } = service.service;
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    const own = await signIn(person);
    const page = await own.open((await invite()).link);
    const joining = await database.transaction(async (tx) => {
      await accountStore.findForUpdate(tx, person.accountId);
      const answer = own.submit(page, {}, { button: `Join as ${person.email}` });
      // Time enough for the request to reach the account.
      for (let round = 0; round < 50; round += 1) await roleOf(person.email);
      await tx.db.deleteFrom('account_sessions').where('account_id', '=', person.accountId).execute();
      return { answer };
    });
    expect((await joining.answer).status).toBe(403);
    expect(await roleOf(person.email)).toBeUndefined();
  });

  test('is not accepted by a session that the provider of another tenant began', async () => {
    const { database } = service.service;
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    const own = await signIn(person);
    const { link } = await invite({ email: person.email });
    const page = await own.open(link);
    await database.transaction((tx) =>
      tx.db
        .updateTable('account_sessions')
        .set({ tenant_id: 'tnt_elsewhere' })
        .where('account_id', '=', person.accountId)
        .execute(),
    );
    expect((await own.submit(page)).status).toBe(403);
    expect((await own.open(link)).text).toContain('Create an account');
    expect(await roleOf(person.email)).toBeUndefined();
  });

  test('does not let its holder find out in bulk which addresses have an account', async () => {
    const { link } = await invite();
    const own = browser();
    const page = await own.open(link);
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) {
      const { status } = await own.submit(page, { ...newPerson(), password: 'short' });
      statuses.push(status);
    }
    expect(statuses.slice(0, 4)).toEqual([422, 422, 422, 422]);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    clock.advance(15 * 60_000);
    const person = newPerson();
    await own.submit(await own.open(link), person);
    expect(await roleOf(person.email)).toBe('viewer');
  });

  test('creates no second account of an address', async () => {
    const person = await createPerson(service, { tenantId: null, nowMs: clock.now() });
    const { link } = await invite();
    const own = browser();
    const refused = await own.submit(await own.open(link), {
      ...newPerson(),
      email: ` ${person.email.toUpperCase()}`,
    });
    expect(refused.status).toBe(422);
    const { db } = service.service.database.read;
    const rows = await db
      .selectFrom('accounts')
      .select('account_id')
      .where('email_key', '=', person.email)
      .execute();
    expect(rows).toHaveLength(1);
    await own.submit(refused, { email: 'fresh@example.com', password: PASSWORD });
    expect(await roleOf('fresh@example.com')).toBe('viewer');
  });

  test('of a member who was removed cannot be accepted', async () => {
    const admin = await createPerson(service, { ...tenant, role: 'admin', nowMs: clock.now() });
    await createPerson(service, { ...tenant, role: 'admin', nowMs: clock.now() });
    const { link, invitation_id: id } = await invite();
    await service.service.database.transaction((tx) =>
      tx.db
        .updateTable('invitations')
        .set({ created_by: admin.accountId })
        .where('invitation_id', '=', id)
        .execute(),
    );
    await service.service.database.transaction((tx) =>
      tx.db.updateTable('holdings').set({ owner_id: admin.accountId }).where('holding_id', '=', id).execute(),
    );
    expect((await browser().open(link)).text).toContain(
      `${admin.name} invites you to be a member of the tenant`,
    );
    const { credential } = tenant;
    await service.client.send('DELETE', `/members/${admin.accountId}`, { credential });
    expect((await browser().open(link)).status).toBe(404);
  });
});
