import type { Clock } from '../../../platform/clock.ts';
import { html } from '../../../platform/web/html.ts';
import { toPage, toRedirect, type WebReply, type WebRequest } from '../../../platform/web/web-route.ts';
import { type AccountSession, isRecent } from './account-session.ts';
import type { AccountSessions } from './account-sessions.ts';

/** Handles a request of a person who is signed in. Sends anyone else to the sign-in page, which leads back here. */
export async function requireSession(
  sessions: AccountSessions,
  request: WebRequest,
  handle: (session: AccountSession) => Promise<WebReply>,
): Promise<WebReply> {
  const session = await sessions.find(request);
  return session ? handle(session) : toRedirect(leadingBack(request, '/login'));
}

/**
 * Does the same for what concerns the whole account. The provider of a tenant must not see or change an account, which may
 * have other tenants: a session that it opened is not enough.
 */
export function requireOwnSession(
  sessions: AccountSessions,
  request: WebRequest,
  handle: (session: AccountSession) => Promise<WebReply>,
): Promise<WebReply> {
  return requireSession(sessions, request, async (session) =>
    session.tenantId === null ? handle(session) : ownSignInPage(request),
  );
}

/**
 * Does the same for a dangerous act: the person must have proved in the last ten minutes who they are. Sends them to the
 * page that asks for it.
 */
export function requireRecent(
  { sessions, clock }: { sessions: AccountSessions; clock: Clock },
  request: WebRequest,
  handle: (session: AccountSession) => Promise<WebReply>,
): Promise<WebReply> {
  return requireOwnSession(sessions, request, async (session) =>
    isRecent(session, clock.now()) ? handle(session) : toRedirect(leadingBack(request, '/confirm')),
  );
}

function ownSignInPage({ site }: WebRequest): WebReply {
  const body = html`<p>You signed in through your organization. To change your account, sign out and sign in with your password or passkey. If you have neither, <a href="${site.path('/reset')}">set a password</a>.</p>`;
  return toPage('Sign in another way', body, { status: 403 });
}

/** Returns the address of a page that leads back to the page of this request. What was in a form is lost. */
function leadingBack({ site, path, query }: WebRequest, page: string): string {
  const search = query.size > 0 ? `?${query}` : '';
  return `${site.path(page)}?${new URLSearchParams({ return_to: `${site.path(path)}${search}` })}`;
}
