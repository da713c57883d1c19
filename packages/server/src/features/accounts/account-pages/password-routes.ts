import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { field, form } from '../../../platform/web/form-parts.ts';
import { html } from '../../../platform/web/html.ts';
import {
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import type { Account } from '../account.ts';
import { type AccountService, isFieldRefusal } from '../account-service.ts';
import type { LoginService } from '../login/login-service.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords/password-rules.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { accountPage, toDone } from './account-page.ts';
import { changeAccount, forProvenPerson, type Person } from './person.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly accounts: AccountService;
  readonly logins: Pick<LoginService, 'keepKnown'>;
}

const PATH = '/account/password';

/** Sets a password. The person has proved a moment ago who they are, so the old password is not asked for again. */
export function passwordRoutes(parts: Parts): WebRoute[] {
  return [
    webRoute('GET', PATH, (request) =>
      forProvenPerson(parts, request, async ({ account }) => passwordPage(request, account)),
    ),
    webRoute('POST', PATH, (request) =>
      forProvenPerson(parts, request, (person) => setPassword(request, { ...person, ...parts })),
    ),
  ];
}

async function setPassword(
  request: WebRequest,
  { accounts, logins, ...change }: Parts & Person,
): Promise<WebReply> {
  const { account, session } = change;
  // Before normalization, a character that people type has at most four UTF-16 units.
  const password = (request.form.get('password') ?? '').slice(0, 4 * MAX_PASSWORD_LENGTH + 1);
  const prepared = await accounts.preparePassword(account, password);
  if (isFieldRefusal(prepared)) return passwordPage(request, account, prepared.problem);
  const wanted = { ...prepared, keep: session, requestId: request.requestId };
  const changed = await changeAccount(change, (tx) => accounts.setPassword(tx, account.accountId, wanted));
  if (!changed) return toRedirect(request.site.path('/login'));
  const cookie = logins.keepKnown(request, { before: account, after: changed });
  return toDone(request, PATH, 'password_set', { cookies: cookie === undefined ? [] : [cookie] });
}

function passwordPage(request: WebRequest, { email, passwordHash }: Account, problem?: string): WebReply {
  const body = html`<p>${
    passwordHash === null ? 'You have no password yet.' : 'The new password replaces the current one.'
  } Setting it signs all other browsers out.</p>
${form(request, {
  page: PATH,
  submit: 'Set the password',
  body: [
    // So that password managers know which password they store.
    html`<input type="text" name="username" autocomplete="username" value="${email}" hidden>`,
    field({
      name: 'password',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      maxLength: MAX_PASSWORD_LENGTH,
      hint: `At least ${MIN_PASSWORD_LENGTH} characters. A few words are easy to remember.`,
    }),
  ],
})}`;
  return accountPage(request, { path: PATH, body, problem });
}
