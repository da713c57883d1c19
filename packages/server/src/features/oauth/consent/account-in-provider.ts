import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { parseCookies } from '../../../platform/web/cookies.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import type { AccountSession, AccountSessions } from '../../accounts/index.ts';

const STATE = 'accountSession';

/** RFC 8176 names for how a person proved who they are. It has none for the provider of a tenant. */
const METHOD_REFERENCES: Readonly<Record<AccountSession['methods'][number], readonly string[]>> = {
  password: ['pwd'],
  totp: ['otp'],
  recovery_code: ['otp'],
  passkey: ['hwk'],
  sso: [],
};

/**
 * Makes our own session the only authority on who is signed in at the authorization endpoint. Each request there reads it:
 * signing out, the end of a session, a changed password and a disabled account hold at once. The provider's session only
 * remembers what it needs about clients, and never outlives a change of the account.
 */
export function followAccountSessions(
  provider: Provider,
  { sessions, site }: { sessions: AccountSessions; site: WebSite },
): void {
  const { Session } = provider;
  const get = Session.get.bind(Session);
  Session.get = async (ctx) => {
    const own = await sessions.find({ cookies: parseCookies(ctx.req.headers.cookie), site });
    let session = await get(ctx);
    if (session.accountId !== undefined && session.accountId !== own?.accountId) {
      await session.destroy();
      session = new Session();
      ctx.oidc?.entity('Session', session);
    }
    if (own) {
      const { accountId, authenticatedAtMs, methods } = own;
      session.loginAccount({
        accountId,
        loginTs: Math.floor(authenticatedAtMs / 1000),
        amr: referencesOf(methods),
      });
      // Stores it: the pages of an interaction find it again.
      Object.assign(session, { touched: true });
    }
    ctx.state[STATE] = own;
    return session;
  };
}

/** Returns our own session of a request to the authorization endpoint. */
export function accountSessionOf(ctx: KoaContextWithOIDC): AccountSession | undefined {
  return ctx.state[STATE] as AccountSession | undefined;
}

/** Returns how a person proved who they are, as ID tokens name it. */
export function referencesOf(methods: AccountSession['methods']): string[] {
  const references = new Set(methods.flatMap((method) => METHOD_REFERENCES[method]));
  return references.size > 1 ? [...references, 'mfa'] : [...references];
}
