import type { Database } from '../../../database/index.ts';
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

function toHandler({ database }: Parts, { site }: WebRequest, handle: Handle) {
  return async (session: AccountSession): Promise<WebReply> => {
    const account = await accountStore.find(database.read, session.accountId);
    // Deleted since the session was read.
    return account ? handle({ account, session }) : toRedirect(site.path('/login'));
  };
}
