import type { Role } from '@tps/contract';
import { field, form, hiddenField, problemSummary, toWaitingTime } from '../../../platform/web/form-parts.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import type { WebRequest } from '../../../platform/web/web-route.ts';
import {
  type Account,
  type EndedCredentials,
  emailText,
  endedText,
  type FieldRefusal,
  firstProofText,
  MAX_EMAIL_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '../../accounts/index.ts';
import type { LinkSecrets, OpenInvitation } from './accept-invitation.ts';

/** What the page of an invitation offers. */
interface Offer extends OpenInvitation {
  readonly link: LinkSecrets;
  /** Undefined for a token or the command line. */
  readonly inviter: string | undefined;
}

/** What the person has entered before, and what was wrong with it. */
export interface EnteredAccount {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly refusal?: FieldRefusal | undefined;
}

const PAGE = '/invitation';

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: 'You can see devices, threats, alerts and incidents, and submit content for analysis.',
  analyst: 'You can see devices, threats and alerts, work on incidents and review jobs.',
  admin: 'You can do everything in the tenant, including its credentials and members.',
};

/** For a person who is signed in. */
export function joinForm(request: WebRequest, offer: Offer, { email }: Account): Html {
  const body = [...linkFields(offer), hiddenField('action', 'join')];
  return html`${introduction(offer)}${form(request, { page: PAGE, body, submit: `Join as ${email}` })}`;
}

/** For a person who is signed in with an account that has an unverified address and belongs to another tenant. */
export function unverifiedNote({ site }: WebRequest, offer: Offer, { email }: Account): Html {
  return html`${introduction(offer)}
<p>You are signed in as ${email}, and this e-mail address is not verified. Until it is, your account cannot join a second
tenant. <a href="${site.path('/reset')}">Set a new password through a link</a>, which verifies it. Then open this invitation again.</p>`;
}

/** For a person who is signed in with such an account, and whose link verifies the address. */
export function verifyForm(request: WebRequest, offer: Offer, entered: EnteredAccount): Html {
  return html`${introduction(offer)}
${firstProofText()}
${problemSummary(entered.refusal?.problem)}
${accountForm(request, offer, { ...entered, submit: 'Set a new password and join' })}`;
}

/** For a person who is signed in with another address than the invited one. */
export function wrongAccountNote(request: WebRequest, { email }: Offer, account: Account): Html {
  return html`<p>This invitation is for ${email}. You are signed in as ${emailText(account)}.</p>
<p>Sign out, and then open the link of the invitation again.</p>
${form(request, { page: '/logout', body: [], submit: 'Sign out' })}`;
}

/** For a person who is not signed in. */
export function newAccountForm(request: WebRequest, offer: Offer, entered: EnteredAccount): Html {
  return html`${introduction(offer)}${signInLine(request, offer)}
<h2>Create an account</h2>
${problemSummary(entered.refusal?.problem)}
${accountForm(request, offer, { ...entered, submit: 'Create account and join' })}`;
}

/** For a person who is not signed in, and who continues through a link in a mail. */
export function mailForm(request: WebRequest, offer: Offer, { email, refusal }: EnteredAccount): Html {
  const body = [...linkFields(offer), emailField(offer, { email, refusal })];
  return html`${introduction(offer)}${signInLine(request, offer)}
<h2>Create an account</h2>
<p>You receive a mail with a link, through which you continue.</p>
${problemSummary(refusal?.problem)}
${form(request, { page: PAGE, body, submit: 'Send the link' })}`;
}

/** The same whether or not the address has an account. */
export function mailedText(email: string): Html {
  return html`<p>A mail with a link was sent to ${email}. Open the link within a day.</p>
<p>If no mail arrives, look in your spam folder, or ask the person who has invited you.</p>`;
}

export function unmailedText(): Html {
  return html`<p>The mail could not be sent. Try again later, or ask the person who has invited you.</p>`;
}

function signInLine({ site }: WebRequest, { link: { secret, proof } }: Offer): Html {
  const query = new URLSearchParams({ token: secret, ...(proof !== null && { proof }) });
  const ownPath = `${site.path(PAGE)}?${query}`;
  const login = `${site.path('/login')}?${new URLSearchParams({ return_to: ownPath })}`;
  return html`
<p>Do you have an account? <a href="${login}">Sign in</a> to join with it.</p>`;
}

function emailField(offer: Offer, { email, refusal }: Pick<EnteredAccount, 'email' | 'refusal'>): Html {
  if (offer.email !== null) return html`<p>Your e-mail address: ${offer.email}</p>`;
  return field({
    ...{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' },
    ...{ value: email, maxLength: MAX_EMAIL_LENGTH, hasFocus: refusal?.field === 'email' },
  });
}

function accountForm(
  request: WebRequest,
  offer: Offer,
  { email, name, refusal, submit }: EnteredAccount & { submit: string },
): Html {
  const body = [
    ...linkFields(offer),
    hiddenField('action', 'create'),
    field({
      ...{ name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: name },
      ...{ maxLength: MAX_NAME_LENGTH, hasFocus: refusal?.field === 'name' },
    }),
    emailField(offer, { email, refusal }),
    field({
      ...{ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password' },
      ...{ maxLength: MAX_PASSWORD_LENGTH, hasFocus: refusal?.field === 'password' },
      hint: `At least ${MIN_PASSWORD_LENGTH} characters`,
    }),
  ];
  return form(request, { page: PAGE, body, submit });
}

function linkFields({ link: { secret, proof } }: Offer): Html[] {
  return [hiddenField('token', secret), ...(proof === null ? [] : [hiddenField('proof', proof)])];
}

export function goneText(): Html {
  return html`<p>This link does not work: it is unknown, was used, has expired or was revoked. Ask for a new one.</p>`;
}

export function waitText(seconds: number): Html {
  return html`<p>Wait ${toWaitingTime(seconds)}, then try again.</p>`;
}

/** For a person whose link was the first proof of the address of an existing account. */
export function verifiedText({ site }: WebRequest, ended: EndedCredentials): Html {
  return html`${endedText(ended)}
<p><a href="${site.consolePath}">Continue</a></p>`;
}

export function memberText({ site }: WebRequest): Html {
  return html`<p>Your account is already a member of this tenant, so nothing has changed.</p>
<p><a href="${site.path('/account')}">Your account</a></p>`;
}

function introduction({ invitation: { role }, tenant, inviter }: Offer): Html {
  const offer = inviter === undefined ? 'This link makes you' : `${inviter} invites you to be`;
  return html`<p>${offer} a member of the tenant <strong>${tenant.name}</strong>, with the role <strong>${role}</strong>. ${ROLE_WORDS[role]}</p>`;
}
