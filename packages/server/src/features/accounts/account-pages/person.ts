import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { toRedirect, type WebReply, type WebRequest } from '../../../platform/web/web-route.ts';
import type { Account } from '../account.ts';
import * as accountStore from '../account-store.ts';
import type { AccountSession } from '../sessions/account-session.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { requireRecent, requireSession } from '../sessions/require-session.ts';

/** The person who is signed in, and the browser. */
export interface Person {
  readonly account: Account;
  readonly session: AccountSession;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
}

type Handle = (person: Person) => Promise<WebReply>;

/** Handles a request of a person who is signed in. */
export function forPerson(parts: Parts, request: WebRequest, handle: Handle): Promise<WebReply> {
  return requireSession(parts.sessions, request, toHandler(parts, request, handle));
}

/** Does the same for a dangerous act: the person must have proved in the last ten minutes who they are. */
export function forProvenPerson(parts: Parts, request: WebRequest, handle: Handle): Promise<WebReply> {
  return requireRecent(parts, request, toHandler(parts, request, handle));
}

/** The session has ended since the request began. The handlers above lead to the sign-in page. */
class SessionEndedError extends Error {}

/**
 * Runs a change of the account in a transaction, in which it locks the account and the session. A session that ends
 * meanwhile therefore leaves nothing behind, such as a passkey.
 */
export function changeAccount<R>(
  { database, sessions, session }: Pick<Parts & Person, 'database' | 'sessions' | 'session'>,
  change: (tx: Queries) => Promise<R>,
): Promise<R> {
  return database.transaction(async (tx) => {
    await accountStore.findForUpdate(tx, session.accountId);
    if (!(await sessions.lock(tx, session))) throw new SessionEndedError();
    return change(tx);
  });
}

function toHandler({ database }: Parts, { site }: WebRequest, handle: Handle) {
  return async (session: AccountSession): Promise<WebReply> => {
    const account = await accountStore.find(database.read, session.accountId);
    // Deleted since the session was read.
    if (!account) return toRedirect(site.path('/login'));
    try {
      return await handle({ account, session });
    } catch (error) {
      if (error instanceof SessionEndedError) return toRedirect(site.path('/login'));
      throw error;
    }
  };
}
