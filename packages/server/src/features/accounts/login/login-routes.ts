import { field, form, hiddenField, problemSummary, toWaitingTime } from '../../../platform/web/form-parts.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import { toReturnPath } from '../../../platform/web/return-path.ts';
import {
  toPage,
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import { MAX_EMAIL_LENGTH } from '../account.ts';
import { MAX_PASSWORD_LENGTH } from '../passwords/password-rules.ts';
import type { AccountSession } from '../sessions/account-session.ts';
import { type AccountSessions, removedSessionCookie } from '../sessions/account-sessions.ts';
import { requireSession } from '../sessions/require-session.ts';
import type { LoginOutcome, LoginService } from './login-service.ts';

/** Another way to sign in, shown below the password: a passkey, the provider of a tenant. */
export type LoginAlternative = (
  request: WebRequest,
  use: {
    readonly returnTo: string /** The person who confirms who they are. */;
    readonly session?: AccountSession;
  },
) => Promise<Html | undefined>;

export interface LoginPages {
  readonly logins: LoginService;
  readonly sessions: AccountSessions;
  readonly alternatives: readonly LoginAlternative[];
  /** Whether a code is needed besides the password. */
  readonly needsCode: (session: AccountSession) => Promise<boolean>;
  readonly hasPassword: (session: AccountSession) => Promise<boolean>;
}

const MAX_CODE_LENGTH = 40;
const WRONG_PASSWORD = 'The e-mail address or the password is wrong.';
const WRONG_CODE = 'The code is wrong or was used before. Enter the next one.';

/** Pages to sign in, enter a code and sign out, and the page that asks a person again who they are. */
export function loginRoutes(pages: LoginPages): WebRoute[] {
  const { logins, sessions } = pages;
  return [
    webRoute('GET', '/login', async (request) => {
      const returnTo = toReturnPath(request.site, request.query.get('return_to'));
      if (await sessions.find(request)) return toRedirect(returnTo);
      const hint = request.query.get('login_hint');
      return loginPage(pages, request, { returnTo, ...(hint !== null && { email: hint }) });
    }),
    webRoute('POST', '/login', async (request) => {
      const { site, form: fields } = request;
      const returnTo = toReturnPath(site, fields.get('return_to'));
      const email = fields.get('email') ?? '';
      const password = fields.get('password') ?? '';
      const outcome = await logins.withPassword(request, bounded({ email, password }));
      if (outcome.kind === 'signed_in') return toRedirect(returnTo, { cookies: outcome.cookies });
      if (outcome.kind === 'second_factor') {
        const next = `${site.path('/login/code')}?${new URLSearchParams({ return_to: returnTo })}`;
        return toRedirect(next, { cookies: outcome.cookies });
      }
      return loginPage(pages, request, { returnTo, email, refusal: toRefusal(outcome, WRONG_PASSWORD) });
    }),
    webRoute('GET', '/login/code', async (request) =>
      codePage(request, { returnTo: toReturnPath(request.site, request.query.get('return_to')) }),
    ),
    webRoute('POST', '/login/code', async (request) => {
      const { site, form: fields } = request;
      const returnTo = toReturnPath(site, fields.get('return_to'));
      const outcome = await logins.withCode(request, (fields.get('code') ?? '').slice(0, MAX_CODE_LENGTH));
      if (outcome.kind === 'signed_in') return toRedirect(returnTo, { cookies: outcome.cookies });
      if (outcome.kind === 'expired') {
        const problem = 'The sign-in took too long. Enter the password again.';
        return loginPage(pages, request, { returnTo, refusal: { status: 401, problem } });
      }
      return codePage(request, { returnTo, refusal: toRefusal(outcome, WRONG_CODE) });
    }),
    webRoute('GET', '/logout', async (request) => {
      const body = form(request, { page: '/logout', body: [], submit: 'Sign out' });
      return toPage('Sign out', body);
    }),
    webRoute('POST', '/logout', async (request) => {
      const session = await sessions.find(request);
      if (session) await logins.logout(request, session);
      return toRedirect(request.site.path('/login'), { cookies: [removedSessionCookie(request.site)] });
    }),
    webRoute('GET', '/confirm', (request) =>
      requireSession(sessions, request, (session) =>
        confirmPage(pages, request, {
          session,
          returnTo: toReturnPath(request.site, request.query.get('return_to')),
        }),
      ),
    ),
    webRoute('POST', '/confirm', (request) =>
      requireSession(sessions, request, async (session) => {
        const { site, form: fields } = request;
        const returnTo = toReturnPath(site, fields.get('return_to'));
        const { password } = bounded({ password: fields.get('password') ?? '', email: '' });
        const code = (fields.get('code') ?? '').slice(0, MAX_CODE_LENGTH);
        const outcome = await logins.confirm(request, session, { password, code });
        if (outcome.kind === 'signed_in') return toRedirect(returnTo, { cookies: outcome.cookies });
        if (outcome.kind === 'expired') return toRedirect(site.path('/login'));
        const refusal = toRefusal(outcome, 'The password or the code is wrong. Try again.');
        return confirmPage(pages, request, { session, returnTo, refusal });
      }),
    ),
  ];
}

interface PageRefusal {
  readonly status: number;
  readonly problem: string;
  readonly retryAfterSeconds?: number;
}

/** Returns how a page that did not lead on responds. */
function toRefusal(outcome: LoginOutcome, wrong: string): PageRefusal {
  if (outcome.kind === 'delayed') return toDelay(outcome.retryAfterSeconds);
  return { status: 401, problem: wrong };
}

export function toDelay(retryAfterSeconds: number): PageRefusal {
  const problem = `There were too many attempts. Try again in ${toWaitingTime(retryAfterSeconds)}.`;
  return { status: 429, problem, retryAfterSeconds };
}

/** Returns the status and headers of a page with a problem. */
export function statusOf(refusal: PageRefusal | undefined): Pick<WebReply, 'status' | 'headers'> {
  if (!refusal) return { status: 200 };
  const { status, retryAfterSeconds } = refusal;
  return {
    status,
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  };
}

async function loginPage(
  { alternatives }: LoginPages,
  request: WebRequest,
  { returnTo, email, refusal }: { returnTo: string; email?: string; refusal?: PageRefusal },
): Promise<WebReply> {
  const others = await Promise.all(alternatives.map((build) => build(request, { returnTo })));
  const body = html`${problemSummary(refusal?.problem)}
${form(request, {
  page: '/login',
  submit: 'Sign in',
  body: [
    hiddenField('return_to', returnTo),
    field({
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'username webauthn',
      value: email?.slice(0, MAX_EMAIL_LENGTH),
      maxLength: MAX_EMAIL_LENGTH,
      hasFocus: email === undefined,
    }),
    field({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      maxLength: MAX_PASSWORD_LENGTH,
      hasFocus: email !== undefined,
    }),
  ],
})}
<p><a href="${request.site.path('/reset')}">Forgotten password</a></p>
${others}`;
  return toPage('Sign in', body, statusOf(refusal));
}

function codePage(
  request: WebRequest,
  { returnTo, refusal }: { returnTo: string; refusal?: PageRefusal },
): WebReply {
  const body = html`${problemSummary(refusal?.problem)}
${form(request, {
  page: '/login/code',
  submit: 'Continue',
  body: [hiddenField('return_to', returnTo), codeField({ hasFocus: true })],
})}
<p><a href="${request.site.path('/login')}">Start again</a></p>`;
  return toPage('Enter a code', body, statusOf(refusal));
}

async function confirmPage(
  pages: LoginPages,
  request: WebRequest,
  { session, returnTo, refusal }: { session: AccountSession; returnTo: string; refusal?: PageRefusal },
): Promise<WebReply> {
  const hasPassword = await pages.hasPassword(session);
  const needsCode = await pages.needsCode(session);
  const others = await Promise.all(pages.alternatives.map((build) => build(request, { returnTo, session })));
  const fields = [
    hiddenField('return_to', returnTo),
    hasPassword
      ? field({
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          maxLength: MAX_PASSWORD_LENGTH,
          hasFocus: true,
        })
      : undefined,
    needsCode ? codeField({ hasFocus: !hasPassword }) : undefined,
  ];
  const body = html`${problemSummary(refusal?.problem)}
<p>The next page needs a recent proof of who you are.</p>
${(hasPassword || needsCode) && form(request, { page: '/confirm', submit: 'Continue', body: fields })}
${others}`;
  return toPage('Confirm that it is you', body, statusOf(refusal));
}

function codeField({ hasFocus }: { hasFocus: boolean }): Html {
  return field({
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'one-time-code',
    maxLength: MAX_CODE_LENGTH,
    hint: 'The six digits of your authenticator app, or a recovery code.',
    hasFocus,
  });
}

/** No account has such an address or password: they are not hashed or stored in their full length. */
function bounded({ email, password }: Credentials): Credentials {
  return {
    email: email.slice(0, MAX_EMAIL_LENGTH + 1),
    // Before normalization, a character that people type has at most four UTF-16 units.
    password: password.slice(0, 4 * MAX_PASSWORD_LENGTH + 1),
  };
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}
