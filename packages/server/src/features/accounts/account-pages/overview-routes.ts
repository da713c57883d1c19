import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { form } from '../../../platform/web/form-parts.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import { toRedirect, type WebRequest, type WebRoute, webRoute } from '../../../platform/web/web-route.ts';
import { signOnPath } from '../login/sign-on-path.ts';
import * as passkeyStore from '../passkeys/passkey-store.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { emailText } from '../verification/verification-page.ts';
import { accountPage, timeText } from './account-page.ts';
import type { AccountTies } from './account-ties.ts';
import { forPerson, type Person } from './person.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly factors: SecondFactors;
  readonly ties: AccountTies;
}

/** The first page: the person, their factors and their tenants. */
export function overviewRoutes(parts: Parts): WebRoute[] {
  const toAccount = async ({ site }: WebRequest) => toRedirect(site.path('/account'));
  return [
    // The root of the pages, which people type.
    webRoute('GET', '', toAccount),
    webRoute('GET', '/', toAccount),
    webRoute('GET', '/account', (request) =>
      forPerson(parts, request, async (person) =>
        accountPage(request, { path: '/account', body: await overview(request, { ...person, ...parts }) }),
      ),
    ),
  ];
}

/** Leads to the provider of a tenant that a password or passkey does not open. */
function signOnLink({ site }: WebRequest, tenantId: string): Html {
  return html`<br><a href="${signOnPath(site, { tenantId, returnTo: site.consolePath })}">Use single sign-on</a>`;
}

async function overview(request: WebRequest, { account, session, database, factors, ties }: Parts & Person) {
  const { accountId } = account;
  const [tenants, factor, passkeys] = await Promise.all([
    ties.listTenants(database.read, accountId),
    factors.describe(database.read, accountId),
    passkeyStore.list(database.read, accountId),
  ]);
  // A session that the provider of a tenant has opened shows nothing of other tenants.
  const reached = tenants.filter(
    ({ tenantId }) => session.tenantId === null || session.tenantId === tenantId,
  );
  const rows = reached.map(
    ({ tenantName, tenantId, role, requiresSignOn }) =>
      html`<tr><td>${tenantName}<br><small>${tenantId}</small></td><td>${role}${
        session.tenantId === null && requiresSignOn && signOnLink(request, tenantId)
      }</td></tr>\n`,
  );
  const changed = account.passwordChangedAtMs;
  return html`<dl>
<dt>Name</dt><dd>${account.name}</dd>
<dt>E-mail address</dt><dd>${emailText(account)}${
    account.emailVerifiedAtMs === null &&
    html` <a href="${request.site.path('/reset')}">Verify it by setting a new password</a>`
  }</dd>
<dt>Account ID</dt><dd><code>${accountId}</code></dd>
<dt>Password</dt><dd>${
    account.passwordHash === null ? 'none' : html`set${changed !== null && html` ${timeText(changed)}`}`
  }</dd>
<dt>Authenticator app</dt><dd>${factor.confirmedAtMs === null ? 'none' : `on, ${factor.unusedRecoveryCodes} recovery codes left`}</dd>
<dt>Passkeys</dt><dd>${passkeys.length}</dd>
</dl>
<h2>Tenants</h2>
${
  rows.length === 0
    ? html`<p>You are not a member of any tenant. An admin of a tenant can invite you.</p>`
    : html`<table><thead><tr><th scope="col">Tenant</th><th scope="col">Role</th></tr></thead><tbody>
${rows}</tbody></table>`
}
${form(request, { page: '/logout', body: [], submit: 'Sign out' })}`;
}
