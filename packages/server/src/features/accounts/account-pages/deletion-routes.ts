import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { field, form } from '../../../platform/web/form-parts.ts';
import { html } from '../../../platform/web/html.ts';
import {
  toPage,
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import { MAX_EMAIL_LENGTH, toEmailKey } from '../account.ts';
import { type AccountSessions, removedSessionCookie } from '../sessions/account-sessions.ts';
import type { AccountDeletionService } from './account-deletion-service.ts';
import { accountPage } from './account-page.ts';
import type { AccountTies } from './account-ties.ts';
import { forProvenPerson, type Person } from './person.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly deletion: AccountDeletionService;
  readonly ties: Pick<AccountTies, 'listEnding'>;
}

const PATH = '/account/delete';

/** Lets people delete their account. They type its e-mail address, so that a mistaken click deletes nothing. */
export function deletionRoutes(parts: Parts): WebRoute[] {
  return [
    webRoute('GET', PATH, (request) =>
      forProvenPerson(parts, request, async ({ account }) => {
        const ending = await parts.ties.listEnding(parts.database.read, account.accountId);
        return deletionPage(request, { ending });
      }),
    ),
    webRoute('POST', PATH, (request) =>
      forProvenPerson(parts, request, (person) => remove(request, { ...parts, ...person })),
    ),
  ];
}

async function remove(
  request: WebRequest,
  { deletion, account, session }: Parts & Person,
): Promise<WebReply> {
  const typed = (request.form.get('email') ?? '').slice(0, MAX_EMAIL_LENGTH + 1);
  if (toEmailKey(typed) !== toEmailKey(account.email)) {
    return deletionPage(request, { problem: 'This is not the e-mail address of your account.' });
  }
  const outcome = await deletion.delete(session, request);
  const cookies = [removedSessionCookie(request.site)];
  switch (outcome.kind) {
    case 'last_admin':
      return deletionPage(request, {
        problem: `You are the only admin of ${outcome.tenants.join(', ')}. Make another member an admin first.`,
      });
    case 'owns_sign_on':
      return deletionPage(request, {
        problem: 'You own the single sign-on of a tenant. Another admin must adopt or delete it first.',
      });
    case 'ended':
      return toRedirect(request.site.path('/login'), { cookies });
    case 'deleted':
      return toPage('Account deleted', html`<p>Your account was deleted. All browsers were signed out.</p>`, {
        cookies,
      });
  }
}

function deletionPage(
  request: WebRequest,
  { problem, ending = [] }: { problem?: string; ending?: readonly string[] },
): WebReply {
  const body = html`<p>This removes your account, sessions, passwords and passkeys. You leave all tenants, and applications that
act in your name stop. It cannot be undone. Entries in the audit logs of tenants keep the id of your account, but not your
e-mail address.</p>
${
  ending.length > 0 &&
  html`<p>You own the following. All of it ends with your account, unless another admin adopts it first:</p>
<ul>${ending.map((one) => html`<li>${one}</li>`)}</ul>`
}
${form(request, {
  page: PATH,
  submit: 'Delete my account',
  body: [
    field({
      name: 'email',
      label: 'Type your e-mail address',
      type: 'email',
      autocomplete: 'off',
      maxLength: MAX_EMAIL_LENGTH,
    }),
  ],
})}`;
  return accountPage(request, { path: PATH, body, problem });
}
