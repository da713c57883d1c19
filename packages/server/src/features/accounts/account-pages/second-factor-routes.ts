import { countOf } from '@tps/contract/vocabulary';
import { renderSVG } from 'uqr';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secret } from '../../../platform/crypto/secret.ts';
import { field, form, hiddenField } from '../../../platform/web/form-parts.ts';
import { Html, html } from '../../../platform/web/html.ts';
import {
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import { appendAccountEntry } from '../account-audit.ts';
import type { AccountService } from '../account-service.ts';
import type { SecondFactorState, SecondFactors } from '../second-factors/second-factors.ts';
import { toTotpUri } from '../second-factors/totp.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { accountPage, actionForm, timeText, toDone } from './account-page.ts';
import { changeAccount, forProvenPerson, type Person } from './person.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly accounts: AccountService;
  readonly factors: SecondFactors;
}

type Change = Parts & Person & { readonly request: WebRequest };

const PATH = '/account/second-factor';
/** Six digits, and spaces between them. */
const MAX_CODE_LENGTH = 12;

/** Turns the authenticator app on and off, and makes new recovery codes. */
export function secondFactorRoutes(parts: Parts): WebRoute[] {
  return [
    webRoute('GET', PATH, (request) =>
      forProvenPerson(parts, request, (person) => factorPage({ ...parts, ...person, request })),
    ),
    webRoute('POST', PATH, (request) =>
      forProvenPerson(parts, request, (person) => act({ ...parts, ...person, request })),
    ),
  ];
}

async function act(change: Change): Promise<WebReply> {
  switch (change.request.form.get('action')) {
    case 'begin':
      return begin(change);
    case 'confirm':
      return confirm(change);
    case 'renew_codes':
      return renewCodes(change);
    case 'remove':
      return remove(change);
    default:
      return factorPage(change);
  }
}

/** Only this page shows the secret, and each time a new one: someone else may have seen an earlier one. */
async function begin(change: Change): Promise<WebReply> {
  const { factors, account, request } = change;
  if (!factors.canEnrol) return factorPage(change);
  const secret = await changeAccount(change, (tx) => factors.begin(tx, account.accountId));
  return secret ? enrolmentPage(change, secret) : toRedirect(request.site.path(PATH));
}

/** From now on a sign-in needs the app. Browsers that signed in without it are signed out. */
async function confirm(change: Change): Promise<WebReply> {
  const { database, factors, accounts, account, session, request } = change;
  const { accountId } = account;
  const code = (request.form.get('code') ?? '').slice(0, MAX_CODE_LENGTH);
  const codes = await changeAccount(change, async (tx) => {
    const created = await factors.confirm(tx, accountId, code);
    if (!created) return undefined;
    const ended = await accounts.endOthers(tx, accountId, { keep: session });
    await append(tx, change, {
      action: 'account.totp_enabled',
      detail: `Authenticator app turned on; ${countOf(ended, 'session')} ended`,
    });
    return created;
  });
  if (codes) return codesPage(request, codes, 'The authenticator app is on.');
  const secret = await factors.findUnconfirmed(database.read, accountId);
  const problem = 'The code is wrong. Enter the one that the app shows now.';
  return secret ? enrolmentPage(change, secret, problem) : factorPage(change);
}

async function renewCodes(change: Change): Promise<WebReply> {
  const { factors, account, request } = change;
  const codes = await changeAccount(change, async (tx) => {
    if (!(await factors.isRequired(tx, account.accountId))) return undefined;
    const created = await factors.renewRecoveryCodes(tx, account.accountId);
    await append(tx, change, { action: 'account.recovery_codes_renewed', detail: 'Recovery codes replaced' });
    return created;
  });
  return codes ? codesPage(request, codes, 'The old recovery codes no longer work.') : factorPage(change);
}

async function remove(change: Change): Promise<WebReply> {
  const { factors, accounts, account, session, request } = change;
  await changeAccount(change, async (tx) => {
    if (!(await factors.remove(tx, account.accountId))) return;
    const ended = await accounts.endOthers(tx, account.accountId, { keep: session });
    await append(tx, change, {
      action: 'account.totp_disabled',
      detail: `Authenticator app turned off; ${countOf(ended, 'session')} ended`,
    });
  });
  return toDone(request, PATH, 'factor_removed');
}

function append(
  tx: Queries,
  { account: { accountId }, request: { requestId }, clock }: Change,
  entry: { action: string; detail: string },
): Promise<void> {
  return appendAccountEntry(tx, { ...entry, accountId, requestId }, clock.now());
}

async function factorPage(change: Change): Promise<WebReply> {
  const { database, factors, account, request } = change;
  const state = await factors.describe(database.read, account.accountId);
  return accountPage(request, { path: PATH, body: toBody(change, state) });
}

function toBody({ factors, request }: Change, state: SecondFactorState): Html {
  if (state.confirmedAtMs !== null) {
    return html`<p>On since ${timeText(state.confirmedAtMs)}. After your password, the sign-in page asks for a code of the app.</p>
<h2>Recovery codes</h2>
<p>${state.unusedRecoveryCodes} codes are left. Each works once, in place of a code of the app: for example if you have lost your phone.</p>
${actionForm(request, { path: PATH, action: 'renew_codes', label: 'Make new recovery codes', style: 'plain' })}
<h2>Turn off</h2>
<p>To move to another phone, turn the app off and set it up again. All other browsers are signed out.</p>
${actionForm(request, { path: PATH, action: 'remove', label: 'Turn the authenticator app off', style: 'danger' })}`;
  }
  if (!factors.canEnrol) {
    return html`<p>An authenticator app cannot be set up here, because the service has no key to encrypt its secret.
The operator can set <code>SERVICE_SECRET_KEY_B64</code>. A passkey does not need this key.</p>`;
  }
  return html`<p>With an authenticator app, someone who has your password still cannot sign in.</p>
${actionForm(request, { path: PATH, action: 'begin', label: 'Set up an authenticator app' })}`;
}

function enrolmentPage({ request, account }: Change, secret: Secret, problem?: string): WebReply {
  const issuer = `Threat Protection Service (${new URL(request.site.url).host})`;
  const uri = toTotpUri(secret, { issuer, email: account.email });
  const groups = secret.reveal().match(/.{1,4}/g) ?? [];
  const body = html`<ol>
<li>Scan this code with your authenticator app.
<div class="qr" role="img" aria-label="QR code with the key below">${new Html(renderSVG(uri.reveal(), { border: 4 }))}</div>
Or enter this key: <code>${groups.join(' ')}</code></li>
<li>Enter the six digits that the app shows.</li>
</ol>
${form(request, {
  page: PATH,
  submit: 'Turn on',
  body: [
    hiddenField('action', 'confirm'),
    field({
      name: 'code',
      label: 'Code',
      type: 'text',
      autocomplete: 'one-time-code',
      inputMode: 'numeric',
      maxLength: MAX_CODE_LENGTH,
    }),
  ],
})}`;
  return accountPage(request, { path: PATH, title: 'Set up an authenticator app', body, problem });
}

/** The only page that shows the codes. They are stored as hashes. */
function codesPage(request: WebRequest, codes: readonly string[], what: string): WebReply {
  const items = codes.map((code) => html`<li><code>${code}</code></li>\n`);
  const body = html`<p class="notice" role="status">${what}</p>
<p>Keep these codes where you can find them without your phone. Each works once, in place of a code of the app. They are not
shown again.</p>
<ul class="codes">
${items}</ul>
<p><a href="${request.site.path('/account')}">I have stored the codes</a></p>`;
  return accountPage(request, { path: PATH, title: 'Recovery codes', body });
}
