import { countOf } from '@tps/contract/vocabulary';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { field, form, hiddenField } from '../../../platform/web/form-parts.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import { type WebReply, type WebRequest, type WebRoute, webRoute } from '../../../platform/web/web-route.ts';
import { appendAccountEntry } from '../account-audit.ts';
import type { AccountService } from '../account-service.ts';
import { passkeyForm } from '../passkeys/passkey-form.ts';
import type { Passkey } from '../passkeys/passkey-store.ts';
import * as passkeyStore from '../passkeys/passkey-store.ts';
import {
  MAX_PASSKEY_NAME_LENGTH,
  MAX_PASSKEYS,
  type Passkeys,
  type RegistrationOutcome,
  type RemovalOutcome,
} from '../passkeys/passkeys.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { accountPage, actionForm, timeText, toDone } from './account-page.ts';
import { changeAccount, forProvenPerson, type Person } from './person.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly accounts: AccountService;
  readonly passkeys: Passkeys;
}

type Change = Parts & Person & { readonly request: WebRequest };

const PATH = '/account/passkeys';

const PROBLEMS: Readonly<Record<Exclude<RegistrationOutcome, 'registered'>, string>> = {
  refused: 'The passkey was not accepted. Try again.',
  already_registered: 'This passkey is registered already.',
  too_many: `You have ${MAX_PASSKEYS} passkeys. Remove one that you do not use.`,
};
const REMOVAL_PROBLEMS: Readonly<Record<Exclude<RemovalOutcome, 'removed'>, string>> = {
  not_found: 'This passkey was removed already.',
  last_way_to_sign_in:
    'Without this passkey, you could no longer sign in. Set a password or add another passkey first.',
};

/** Adds, lists and removes passkeys. */
export function passkeyRoutes(parts: Parts): WebRoute[] {
  return [
    webRoute('GET', PATH, (request) =>
      forProvenPerson(parts, request, (person) => listPage({ ...parts, ...person, request })),
    ),
    webRoute('POST', PATH, (request) =>
      forProvenPerson(parts, request, (person) => act({ ...parts, ...person, request })),
    ),
  ];
}

async function act(change: Change): Promise<WebReply> {
  switch (change.request.form.get('action')) {
    case 'begin':
      return createPage(change);
    case 'register':
      return register(change);
    case 'remove':
      return remove(change);
    default:
      return listPage(change);
  }
}

async function createPage({ request, passkeys, account }: Change): Promise<WebReply> {
  if (!passkeys.isAvailable) return accountPage(request, { path: PATH, body: unavailable() });
  const name = (request.form.get('name') ?? '').slice(0, MAX_PASSKEY_NAME_LENGTH);
  const options = await passkeys.beginRegistration(account);
  const body = html`<p>Your browser asks where to store the passkey, and asks you to unlock that device.</p>
${passkeyForm(request, {
  page: PATH,
  kind: 'create',
  options,
  submit: 'Create the passkey',
  fields: [hiddenField('action', 'register'), hiddenField('name', name)],
})}`;
  return accountPage(request, { path: PATH, title: 'Add a passkey', body });
}

async function register(change: Change): Promise<WebReply> {
  const { request, passkeys, account, clock } = change;
  const { accountId } = account;
  const text = request.form.get('answer') ?? '';
  const name = request.form.get('name') ?? '';
  const passkey = await passkeys.verifyRegistration(accountId, { text, name });
  if (!passkey) return listPage(change, PROBLEMS.refused);
  const outcome = await changeAccount(change, async (tx) => {
    const registered = await passkeys.register(tx, passkey);
    if (registered !== 'registered') return registered;
    const entry = { accountId, action: 'account.passkey_added', detail: 'Passkey added' };
    const { requestId } = request;
    await appendAccountEntry(tx, { ...entry, requestId, fields: { name: passkey.name } }, clock.now());
    return registered;
  });
  return outcome === 'registered'
    ? toDone(request, PATH, 'passkey_added')
    : listPage(change, PROBLEMS[outcome]);
}

/** Sessions that the passkey has started may be those of a thief: all other browsers are signed out. */
async function remove(change: Change): Promise<WebReply> {
  const { request, passkeys, accounts, account, session, clock } = change;
  const { accountId } = account;
  const credentialId = request.form.get('credential_id') ?? '';
  const outcome = await changeAccount(change, async (tx) => {
    const removed = await passkeys.remove(tx, accountId, credentialId);
    if (removed !== 'removed') return removed;
    const ended = await accounts.endOthers(tx, accountId, { keep: session });
    const detail = `Passkey removed; ${countOf(ended, 'session')} ended`;
    const entry = { accountId, action: 'account.passkey_removed', detail, requestId: request.requestId };
    await appendAccountEntry(tx, entry, clock.now());
    return removed;
  });
  return outcome === 'removed'
    ? toDone(request, PATH, 'passkey_removed')
    : listPage(change, REMOVAL_PROBLEMS[outcome]);
}

async function listPage(
  { request, passkeys, account, database }: Change,
  problem?: string,
): Promise<WebReply> {
  const rows = (await passkeyStore.list(database.read, account.accountId)).map((one) =>
    passkeyRow(request, one),
  );
  const table = html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Added</th><th scope="col">Last used</th><th scope="col">Remove</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
  const add = html`<h2>Add a passkey</h2>
${form(request, {
  page: PATH,
  submit: 'Continue',
  body: [
    hiddenField('action', 'begin'),
    field({
      name: 'name',
      label: 'Name',
      type: 'text',
      autocomplete: 'off',
      maxLength: MAX_PASSKEY_NAME_LENGTH,
      hint: 'Where the passkey is, such as "Phone".',
    }),
  ],
})}`;
  const body = html`<p>A passkey signs you in without a password. You unlock it with your fingerprint, your face or a PIN.</p>
${rows.length > 0 && table}
${passkeys.isAvailable ? add : unavailable()}`;
  return accountPage(request, { path: PATH, body, problem });
}

function unavailable(): Html {
  return html`<p>Passkeys need a host name, and the address of this service is an IP address. The operator can set
<code>SERVICE_BASE_URL</code> to an address such as <code>http://localhost:8080</code>.</p>`;
}

function passkeyRow(request: WebRequest, { credentialId, name, createdAtMs, usedAtMs }: Passkey): Html {
  return html`<tr><td>${name}</td><td>${timeText(createdAtMs)}</td><td>${usedAtMs === null ? 'never' : timeText(usedAtMs)}</td>
<td>${actionForm(request, {
    path: PATH,
    action: 'remove',
    label: 'Remove',
    about: name,
    style: 'danger',
    fields: { credential_id: credentialId },
  })}</td></tr>
`;
}
