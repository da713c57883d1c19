import { type Html, html } from '../../../platform/web/html.ts';
import { type EndedCredentials, toEndedItems } from './ended-credentials.ts';

/** Explains, before a person proves the address of an account, what the proof changes. */
export function firstProofText(): Html {
  return html`<p>This also verifies your e-mail address. Someone else could have created the account with it, so everything that
could sign in to it ends: passkeys, an authenticator app, and the access of applications.</p>`;
}

/** Lists what the first proof of an address has ended. */
export function endedText(ended: EndedCredentials): Html {
  const items = toEndedItems(ended);
  return html`<p>Your e-mail address is verified.</p>
${
  items.length > 0 &&
  html`<p>Someone else could have created the account with your address. Everything that could sign in to it has ended:</p>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>
<p>If you did not create the account, tell the admins of your tenants: what the account has set up there, such as API
tokens, still works.</p>`
}`;
}

/** Builds the text of an address, with a mark if it is not verified. */
export function emailText({
  email,
  emailVerifiedAtMs,
}: {
  readonly email: string;
  readonly emailVerifiedAtMs: number | null;
}): Html {
  return html`${email}${emailVerifiedAtMs === null && ' (not verified)'}`;
}
