import type { Database } from '../../../database/index.ts';
import { hiddenField, problemSummary } from '../../../platform/web/form-parts.ts';
import { formTokenField } from '../../../platform/web/form-token.ts';
import { html } from '../../../platform/web/html.ts';
import { toReturnPath } from '../../../platform/web/return-path.ts';
import {
  toPage,
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import * as accountStore from '../account-store.ts';
import type { LoginAlternative } from '../login/login-routes.ts';
import type { LoginService } from '../login/login-service.ts';
import type { AccountSession } from '../sessions/account-session.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { requireSession } from '../sessions/require-session.ts';
import { passkeyForm } from './passkey-form.ts';
import * as passkeyStore from './passkey-store.ts';
import type { Passkeys } from './passkeys.ts';

interface Parts {
  readonly database: Database;
  readonly passkeys: Passkeys;
  readonly logins: LoginService;
  readonly sessions: AccountSessions;
}

const LOGIN = '/login/passkey';
const CONFIRM = '/confirm/passkey';
const REFUSED = 'The passkey was not accepted. Try again.';

/** Signs people in with a passkey, and asks them again for one. Each page is posted twice: without and with an answer. */
export function passkeyLoginRoutes(parts: Parts): WebRoute[] {
  return [
    webRoute('POST', LOGIN, (request) => signIn(parts, request)),
    webRoute('POST', CONFIRM, (request) =>
      requireSession(parts.sessions, request, (session) => confirm(parts, request, session)),
    ),
    // A reload, or a link to one of these pages, ends here.
    webRoute('GET', LOGIN, async ({ site }) => toRedirect(site.path('/login'))),
    webRoute('GET', CONFIRM, async ({ site }) => toRedirect(site.path('/confirm'))),
  ];
}

async function signIn(parts: Parts, request: WebRequest): Promise<WebReply> {
  const { passkeys, database, logins } = parts;
  const text = request.form.get('answer');
  if (text === null || !passkeys.isAvailable) return usePage(parts, request, {});
  const proven = await passkeys.verifyUse(null, text);
  if (!proven) return usePage(parts, request, { problem: REFUSED });
  const { accountId } = proven;
  const outcome = await database.transaction(async (tx) => {
    // Locked first, as every change of an account does, so that none waits for another in a circle.
    if (!(await accountStore.findForUpdate(tx, accountId))) return REFUSED;
    if (!(await passkeys.use(tx, proven, request))) return REFUSED;
    return (await logins.signIn(tx, request, { accountId, methods: ['passkey'] })) ?? REFUSED;
  });
  return typeof outcome === 'string'
    ? usePage(parts, request, { problem: outcome })
    : toRedirect(returnPathOf(request), { cookies: outcome.cookies });
}

async function confirm(parts: Parts, request: WebRequest, session: AccountSession): Promise<WebReply> {
  const { passkeys, database, logins } = parts;
  const text = request.form.get('answer');
  if (text === null || !passkeys.isAvailable) return usePage(parts, request, { session });
  const proven = await passkeys.verifyUse(session.accountId, text);
  const renewed =
    proven &&
    (await database.transaction(async (tx) => {
      if (!(await accountStore.findForUpdate(tx, session.accountId))) return undefined;
      if (!(await passkeys.use(tx, proven, request))) return undefined;
      return logins.reauthenticate(tx, request, { session, methods: ['passkey'] });
    }));
  return renewed
    ? toRedirect(returnPathOf(request), { cookies: renewed.cookies })
    : usePage(parts, request, { session, problem: REFUSED });
}

/** The button on the pages that ask for a password. */
export function passkeyAlternative({ passkeys, database }: Parts): LoginAlternative {
  return async (request, { returnTo, session }) => {
    if (!passkeys.isAvailable) return undefined;
    if (session && (await passkeyStore.list(database.read, session.accountId)).length === 0) return undefined;
    const page = session ? CONFIRM : LOGIN;
    return html`<form method="post" action="${request.site.path(page)}">
${formTokenField(request)}${hiddenField('return_to', returnTo)}
<button type="submit" class="plain">${session ? 'Use a passkey' : 'Sign in with a passkey'}</button>
</form>`;
  };
}

async function usePage(
  { passkeys }: Parts,
  request: WebRequest,
  { session, problem }: { session?: AccountSession; problem?: string },
): Promise<WebReply> {
  if (!passkeys.isAvailable) return toRedirect(request.site.path(session ? '/confirm' : '/login'));
  const body = html`${problemSummary(problem)}
${passkeyForm(request, {
  page: session ? CONFIRM : LOGIN,
  kind: 'get',
  options: await passkeys.beginUse(session?.accountId ?? null, request),
  submit: 'Use a passkey',
  fields: [hiddenField('return_to', returnPathOf(request))],
})}
<p><a href="${request.site.path(session ? '/confirm' : '/login')}">Use another way</a></p>`;
  const title = session ? 'Confirm that it is you' : 'Sign in with a passkey';
  return toPage(title, body, { status: problem === undefined ? 200 : 401 });
}

function returnPathOf({ site, form }: WebRequest): string {
  return toReturnPath(site, form.get('return_to'));
}
