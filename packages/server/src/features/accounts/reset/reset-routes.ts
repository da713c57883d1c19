import { field, form, hiddenField, problemSummary } from '../../../platform/web/form-parts.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import {
  toPage,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import { isEmail, MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '../account.ts';
import { EMAIL_REFUSAL } from '../account-service.ts';
import { statusOf, toDelay } from '../login/login-routes.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords/password-rules.ts';
import type { EndedCredentials } from '../verification/ended-credentials.ts';
import { endedText, firstProofText } from '../verification/verification-page.ts';
import type { ResetService } from './reset-service.ts';

type PageRefusal = Parameters<typeof statusOf>[0];

const TITLE = 'Set a new password';

/** The pages for a person who has forgotten the password. */
export function resetRoutes(resets: ResetService): WebRoute[] {
  return [
    webRoute('GET', '/reset', async (request) => {
      const secret = request.query.get('token');
      if (secret !== null) {
        const account = await resets.find(secret);
        if (!account) return invalidLink(request);
        return passwordPage(request, {
          secret,
          name: account.emailVerifiedAtMs === null ? account.name : undefined,
        });
      }
      return resets.isAvailable ? addressPage(request) : withoutMail();
    }),
    webRoute('POST', '/reset', async (request) => {
      const secret = request.form.get('token');
      if (secret !== null) return setPassword(resets, request, secret);
      if (!resets.isAvailable) return withoutMail();
      const email = (request.form.get('email') ?? '').slice(0, MAX_EMAIL_LENGTH + 1);
      if (!isEmail(email)) {
        return addressPage(request, { status: 400, problem: EMAIL_REFUSAL.problem });
      }
      const outcome = await resets.request(request, email);
      if (outcome.kind === 'delayed') {
        const delay = toDelay(outcome.retryAfterSeconds);
        const problem = `${delay.problem} Until then, the link of the last mail works, if an account has this address.`;
        return addressPage(request, { ...delay, problem });
      }
      const text =
        'If an account has this address, it now receives a mail with a link. The link works for an hour.';
      return toPage(TITLE, html`<p>${text}</p>`);
    }),
  ];
}

async function setPassword(resets: ResetService, request: WebRequest, secret: string): Promise<WebReply> {
  const password = (request.form.get('password') ?? '').slice(0, 4 * MAX_PASSWORD_LENGTH + 1);
  const name = request.form.get('name')?.slice(0, MAX_NAME_LENGTH + 1);
  const outcome = await resets.setPassword(request, { secret, password, name });
  switch (outcome.kind) {
    case 'done':
      return donePage(request, outcome.ended);
    case 'delayed':
      return passwordPage(request, { secret, name, refusal: toDelay(outcome.retryAfterSeconds) });
    case 'refused':
      return passwordPage(request, { secret, name, refusal: { status: 400, problem: outcome.problem } });
    case 'invalid_link':
      return invalidLink(request);
  }
}

function addressPage(request: WebRequest, refusal?: PageRefusal): WebReply {
  const body = html`${problemSummary(refusal?.problem)}
<p>Enter your e-mail address. You receive a link with which you set a new password.</p>
${form(request, {
  page: '/reset',
  submit: 'Send the link',
  body: [
    field({
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'username',
      maxLength: MAX_EMAIL_LENGTH,
      hasFocus: true,
    }),
  ],
})}`;
  return toPage(TITLE, body, statusOf(refusal));
}

function passwordPage(
  request: WebRequest,
  {
    secret,
    name,
    refusal,
  }: {
    secret: string;
    /** Only if the link is the first proof of the address: someone else may have chosen the present name. */
    name: string | undefined;
    refusal?: PageRefusal;
  },
): WebReply {
  const body = html`${problemSummary(refusal?.problem)}
<p>You are signed out of all browsers when you set the password.</p>
${name !== undefined && firstProofText()}
${form(request, {
  page: '/reset',
  submit: 'Set the password',
  body: [
    hiddenField('token', secret),
    name === undefined
      ? undefined
      : field({
          ...{ name: 'name', label: 'Name', type: 'text', autocomplete: 'name' },
          ...{ value: name, maxLength: MAX_NAME_LENGTH },
        }),
    field({
      name: 'password',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      maxLength: MAX_PASSWORD_LENGTH,
      hint: `At least ${MIN_PASSWORD_LENGTH} characters. A few words are easy to remember.`,
      hasFocus: true,
    }),
  ],
})}`;
  return toPage(TITLE, body, statusOf(refusal));
}

function donePage({ site }: WebRequest, ended: EndedCredentials | undefined): WebReply {
  const body = html`<p>You are signed out of all browsers. <a href="${site.path('/login')}">Sign in</a> with the new password.</p>
${ended ? endedText(ended) : keptText()}`;
  return toPage('The password is set', body);
}

function keptText(): Html {
  return html`<p>Your passkeys, and the applications that you have allowed, still have access. If someone else may have used your
account, sign in and remove those that you do not know.</p>`;
}

function invalidLink({ site }: WebRequest): WebReply {
  const body = html`<p>This link was used before or has expired. <a href="${site.path('/reset')}">Get another one</a>.</p>`;
  return toPage(TITLE, body, { status: 400 });
}

function withoutMail(): WebReply {
  const text =
    'This service sends no mail. Ask the operator of the service for a link with which you set a new password.';
  return toPage(TITLE, html`<p>${text}</p>`);
}
