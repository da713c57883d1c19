import { type Html, html } from '../../../platform/web/html.ts';
import { type EndedCredentials, toEndedItems } from './ended-credentials.ts';

/** Says, before a person proves the address of an account, what the proof changes. */
export function firstProofText(): Html {
  return html`<p>This also verifies your e-mail address. Until now, anyone could have created the account with it, so everything
that can sign in to it ends: passkeys, an authenticator app, and applications with access.</p>`;
}

/** Says what the first proof of an address has ended. */
export function endedText(ended: EndedCredentials): Html {
  const items = toEndedItems(ended);
  return html`<p>Your e-mail address is verified.</p>
${
  items.length > 0 &&
  html`<p>Someone else could have created the account with your address. Everything that could sign in to it has ended:</p>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>
<p>If you did not create the account, tell the admins of your tenants: what it has set up there, such as API
tokens, still works.</p>`
}`;
}

/** Builds an address with a mark if no one has proved that it is theirs. */
export function emailText({
  email,
  emailVerifiedAtMs,
}: {
  readonly email: string;
  readonly emailVerifiedAtMs: number | null;
}): Html {
  return html`${email}${emailVerifiedAtMs === null && ' (not verified)'}`;
}
