import type { SignOnSettings } from '@tps/contract';
import { FormBrowser } from '@tps/testing/browser';
import { exchangeSession } from '@tps/testing/console';
import type { TestService, TestTenant } from '@tps/testing/service';

type HtmlPage = Awaited<ReturnType<FormBrowser['open']>>;

/** A browser of a person, which keeps the cookies of the service and of the provider apart. */
export interface Visitor {
  readonly here: FormBrowser;
  readonly there: FormBrowser;
}

export function newVisitor(service: TestService, issuer: string): Visitor {
  return { here: new FormBrowser(service.baseUrl), there: new FormBrowser(issuer) };
}

/** Goes from the service to the provider and returns the address with which the provider leads back. */
export async function visitProvider(
  { here, there }: Visitor,
  { tenantId, returnTo }: { tenantId: string; returnTo?: string },
): Promise<URL> {
  const query = new URLSearchParams({ tenant: tenantId, ...(returnTo && { return_to: returnTo }) });
  const start = await here.open(`/auth/sign-on/start?${query}`);
  const button = start.html.includes('Link and continue') ? 'Link and continue' : 'Continue';
  return answerProvider(there, await here.submit(start, {}, { button }));
}

/** Follows a page that leads to the provider, and the provider's pages. */
export async function answerProvider(there: FormBrowser, left: HtmlPage): Promise<URL> {
  if (!left.leftTo) throw new Error(`the service did not lead to a provider: ${left.status} ${left.text}`);
  const answered = await there.open(left.leftTo, { 'sec-fetch-site': 'cross-site' });
  if (!answered.leftTo)
    throw new Error(`the provider did not lead back: ${answered.status} ${answered.html}`);
  return answered.leftTo;
}

/** Brings the provider's response to the service. */
export function comeBack({ here }: Visitor, callback: URL): Promise<HtmlPage> {
  return here.open(callback, { 'sec-fetch-site': 'cross-site' });
}

export async function signOn(
  visitor: Visitor,
  wanted: { tenantId: string; returnTo?: string },
): Promise<HtmlPage> {
  return comeBack(visitor, await visitProvider(visitor, wanted));
}

/** Sets the provider of a tenant. */
export async function setProvider(
  service: TestService,
  tenant: TestTenant,
  settings: Partial<SignOnSettings> & Pick<SignOnSettings, 'issuer'>,
): Promise<void> {
  const body = {
    client_id: 'tps',
    client_secret: 'secret-of-the-test-provider',
    allowed_domains: ['example.com'],
    ...settings,
  };
  const answer = await service.client.send('PUT', '/sign-on', { credential: tenant.credential, body });
  if (answer.status !== 200) throw new Error(`the provider was not set: ${answer.text}`);
}

/** The sessions of the account with an address, oldest first. */
export function sessionsOf({ service }: TestService, email: string) {
  return service.database.read.db
    .selectFrom('account_sessions')
    .innerJoin('accounts', 'accounts.account_id', 'account_sessions.account_id')
    .select(['session_hash', 'methods', 'tenant_id', 'authenticated_at', 'account_sessions.account_id'])
    .where('email_key', '=', email)
    .orderBy('session_id')
    .execute();
}

/** The role of the account with an address in a tenant. */
export async function roleOf({ service }: TestService, tenantId: string, email: string) {
  const row = await service.database.read.db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select('role')
    .where('tenant_id', '=', tenantId)
    .where('email_key', '=', email)
    .executeTakeFirst();
  return row?.role;
}

/** The audit entries of a tenant about sign-on and its people, oldest first, as `<action>`. */
export async function auditOf({ service }: TestService, tenantId: string): Promise<string[]> {
  const rows = await service.database.read.db
    .selectFrom('audit_entries')
    .select('action')
    .where('tenant_id', '=', tenantId)
    .where('resource_type', 'in', ['account', 'sign_on'])
    .orderBy('audit_id')
    .execute();
  return rows.map(({ action }) => action);
}

/** Exchanges the session of a browser for a token, as the console does (default: for the first tenant that it reaches). */
export function openConsole(
  service: TestService,
  { cookies }: FormBrowser,
  wanted?: Pick<TestTenant, 'tenantId'>,
): ReturnType<typeof exchangeSession> {
  const cookie = cookies.header(new URL('/console/session', service.baseUrl));
  const body = wanted ? { tenant_id: wanted.tenantId } : {};
  return exchangeSession(service, undefined, { body, headers: { cookie } });
}
