import { useFixture } from '@tps/testing/fixture';
import { createPerson, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { startMockProvider } from './testing/mock-provider.ts';
import { newVisitor, setProvider, signOn } from './testing/sign-on-scene.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const service = useTestService({ clock, env: WEBHOOK_ENV });
const provider = useFixture(startMockProvider, { close: (one) => one.close() });
const tenant = useFixture(() => service.createTenant(), { scope: 'test' });

const set = (settings: object) =>
  setProvider(service, tenant, { issuer: provider.issuer, create_members: true, ...settings });

/** Has the provider claim an address. Returns what the page shows. */
async function claim(email: string): Promise<string> {
  provider.say({ idToken: { sub: `${tenant.tenantId} ${email}`, email, email_verified: true } });
  const page = await signOn(newVisitor(service, provider.issuer), { tenantId: tenant.tenantId });
  return page.status === 403 ? page.text : `${page.status}`;
}

const newPerson = async () => {
  const { tenantId } = await service.createTenant();
  return (await createPerson(service, { tenantId, nowMs: clock.now() })).email;
};

test('the provider of a tenant finds out about 20 addresses a day at most', async () => {
  await set({ default_role: 'viewer' });
  const people = [];
  for (let person = 0; person < 22; person += 1) people.push(await newPerson());
  const texts = [];
  for (const address of people) texts.push(await claim(address));
  expect(texts.filter((text) => text.includes('has an account already'))).toHaveLength(20);
  expect(texts.slice(20).every((text) => text.includes('Try again tomorrow'))).toBe(true);
  expect(await claim('unknown-1@example.com')).toBe(texts[20]);
  clock.advance(DAY_MS);
  expect(await claim('unknown-1@example.com')).toBe('200');
  // A person of the tenant is not counted.
  expect(await claim('unknown-1@example.com')).toBe('200');
});

test('an address that is tried again and again does not keep new people out', async () => {
  await set({ default_role: 'viewer' });
  const known = await newPerson();
  for (let attempt = 0; attempt < 25; attempt += 1) {
    expect(await claim(known)).toContain('has an account already');
  }
  expect(await claim('unknown-3@example.com')).toBe('200');
});

test('a provider that creates no members does not find out about any address', async () => {
  await set({ create_members: false, default_role: 'viewer' });
  const known = await claim(await newPerson());
  expect(known).toContain('has not given you access');
  expect(await claim('unknown-2@example.com')).toBe(known);
});
