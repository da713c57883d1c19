import type { TokenSource } from '@tps/client';
import { exchangeSession, type IssuedSession, SignedOutError } from './exchange-session.ts';

/** A token is replaced this long before it ends, so that no request is sent with one that ends on its way. */
const MARGIN_MS = 60_000;

/**
 * Creates a source of tokens that exchanges the session again when a token is about to end or was refused. If another person
 * has signed in to the browser meanwhile, this page gets no token: it shows what the first one may see, under that name.
 */
export function sessionTokens(
  first: IssuedSession,
  renew: (tenantId: string) => Promise<IssuedSession> = exchangeSession,
): TokenSource {
  let current: { readonly token: string; readonly endsAtMs: number } | undefined = toToken(first);
  let pending: Promise<string> | undefined;
  const fetchToken = async (): Promise<string> => {
    try {
      const next = await renew(first.tenant.id);
      if (next.account.id !== first.account.id) throw new SignedOutError();
      current = toToken(next);
      return current.token;
    } finally {
      pending = undefined;
    }
  };
  return {
    token: async () => {
      if (current && Date.now() < current.endsAtMs - MARGIN_MS) return current.token;
      pending ??= fetchToken();
      return pending;
    },
    reject: (token) => {
      if (current?.token === token) current = undefined;
    },
  };
}

function toToken({ access_token, expires_in }: IssuedSession) {
  return { token: access_token, endsAtMs: Date.now() + expires_in * 1000 };
}
