import type { TokenSource } from '../http/credential.ts';
import { onAbort } from '../http/wait.ts';
import type { OAuthTokens } from './token-endpoint.ts';

/** A token is renewed after nine tenths of its lifetime, and never more than a minute before its end. */
const RENEWAL_MS = 60_000;

interface Held {
  readonly token: string;
  readonly renewAtMs: number;
}

/** Keeps the current access token and renews it in time. Concurrent calls share one renewal. */
export function cachedToken(renew: () => Promise<OAuthTokens>, first?: OAuthTokens): TokenSource {
  let held = first && hold(first);
  let pending: Promise<Held> | undefined;

  const renewOnce = () => {
    pending ??= renew()
      .then((tokens) => {
        held = hold(tokens);
        return held;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  return {
    async token(signals) {
      const valid = held !== undefined && Date.now() < held.renewAtMs ? held : undefined;
      return (valid ?? (await unlessAborted(renewOnce(), signals))).token;
    },
    reject(token) {
      // Another call may have renewed it since.
      if (held?.token === token) held = undefined;
    },
  };
}

function hold({ accessToken, expiresAtMs }: OAuthTokens): Held {
  const lifetimeMs = expiresAtMs - Date.now();
  return {
    token: accessToken,
    renewAtMs: Date.now() + Math.max(lifetimeMs - RENEWAL_MS, lifetimeMs * 0.9),
  };
}

/** Ends this wait only: other calls may wait for the same token. */
function unlessAborted<Result>(promise: Promise<Result>, signals: readonly AbortSignal[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signals, reject);
    promise.then(resolve, reject).finally(stop);
  });
}
