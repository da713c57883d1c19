import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useFixture } from '@tps/testing/fixture';
import { createPerson, useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

/** A site that shows any page in a frame, and one that posts to the exchange. */
const attacker = useFixture<{ origin: string; close(): void }>(
  () =>
    new Promise((resolve) => {
      const server = createServer(({ url = '/' }, response) => {
        const target = new URL(url, 'http://site').searchParams.get('target') ?? '';
        response.setHeader('content-type', 'text/html');
        response.end(
          url.startsWith('/frame')
            ? `<iframe src="${target}"></iframe>`
            : `<form method="post" enctype="text/plain" action="${target}"><input name='{"a":"' value='"}'></form>`,
        );
      });
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        // Another site than the service: its cookies are not sent along.
        resolve({ origin: `http://localhost:${port}`, close: () => server.close() });
      });
    }),
  { close: (one) => one.close() },
);

test('a person who signs in lands in the console of their tenant', async () => {
  const person = await createPerson(service, { role: 'viewer' });
  const context = await chromium.newContext();
  const page = await context.newPage();
  await page.goto(service.baseUrl);
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${service.baseUrl}/console/${service.tenant.tenantId}/**`);
  await page.locator('#root > :not(style)').first().waitFor();
  const [session] = (await context.cookies()).filter(({ name }) => name === 'tps-session');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect(await page.evaluate('document.cookie')).toBe('');
  await context.close();
});

test('a link into the console leads back to it after the sign-in', async () => {
  const person = await createPerson(service);
  const context = await chromium.newContext();
  const page = await context.newPage();
  const link = `${service.baseUrl}/console/${service.tenant.tenantId}/events?severity=high`;
  await page.goto(link);
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(link);
  await context.close();
});

test('the page keeps its policy, and no token is where a script could find it later', async () => {
  const { page, context } = await openConsole(service, chromium, { role: 'viewer' });
  await page.locator('#root > :not(style)').first().waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(kept).not.toContain('svc_at_');
  expect(JSON.stringify(await context.storageState())).not.toContain('svc_at_');
});

test('another site cannot show the console in a frame', async () => {
  const context = await chromium.newContext();
  const page = await context.newPage();
  const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
  await page.goto(`${attacker.origin}/frame?target=${encodeURIComponent(`${service.baseUrl}/console`)}`);
  await refused;
  await expect.poll(() => page.frames()[1]?.url()).toContain('chrome-error:');
  await context.close();
});

test('a page of another site cannot exchange the session of the person', async () => {
  const person = await createPerson(service);
  const { context } = await openConsole(service, chromium, { person });
  const browser = await chromium.newContext();
  await browser.addCookies(await context.cookies());
  const page = await browser.newPage();
  const target = encodeURIComponent(`${service.baseUrl}/console/session`);
  await page.goto(`${attacker.origin}/?target=${target}`);
  const answer = page.waitForResponse((one) => one.url().endsWith('/console/session'));
  await page.evaluate('document.forms[0].submit()');
  expect([403, 415]).toContain((await answer).status());
  const script = await browser.newPage();
  await script.goto(attacker.origin);
  const read = script.evaluate(
    `fetch(${JSON.stringify(`${service.baseUrl}/console/session`)}, { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json', 'x-tps-console': '1' }, body: '{}' }).then((r) => r.text(), () => 'refused')`,
  );
  expect(await read).toBe('refused');
  await browser.close();
});

test('two tenants are open side by side, each with its own token', async () => {
  const other = await service.createTenant();
  const person = await createPerson(service, { role: 'viewer' });
  const membership = {
    account_id: person.accountId,
    role: 'admin',
    created_by: 'test',
    created_at: Date.now(),
  };
  await service.service.database.transaction((tx) =>
    tx.insertMany('memberships', [{ ...membership, tenant_id: other.tenantId }]),
  );
  const { page, context } = await openConsole(service, chromium, { person });
  const tokens = new Map<string, string>();
  context.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization) tokens.set(request.frame().page() === page ? 'first' : 'second', authorization);
  });
  const second = await context.newPage();
  await second.goto(`${service.baseUrl}/console/${other.tenantId}/`);
  await page.reload();
  await Promise.all([page, second].map((one) => one.locator('#root > :not(style)').first().waitFor()));
  await page.waitForLoadState('networkidle');
  await second.waitForLoadState('networkidle');
  expect(page.url()).toContain(service.tenant.tenantId);
  expect(second.url()).toContain(other.tenantId);
  if (tokens.size === 2) expect(tokens.get('first')).not.toBe(tokens.get('second'));
});

test('a name that contains markup is shown as text', async () => {
  const person = await createPerson(service, { role: 'viewer' });
  const name = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await service.service.database.transaction(async (tx) => {
    await tx.db.updateTable('accounts').set({ name }).where('account_id', '=', person.accountId).execute();
    await tx.db.updateTable('tenants').set({ name }).execute();
  });
  const { page } = await openConsole(service, chromium, { person });
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  await page.locator('#root > :not(style)').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(dialogs).toBe(0);
  expect(await page.locator('#root img[src="x"]').count()).toBe(0);
});
