import { fileURLToPath } from 'node:url';
import type { Database } from '../../database/index.ts';
import { ConsoleFiles, ConsoleSessions } from '../../features/console/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ConsoleParts } from '../http/mount-console.ts';
import type { Accounts } from './prepare-accounts.ts';
import { CONSOLE_MOUNT_PATH } from './web-site.ts';

/** Where Vite puts the console that it builds. */
const BUILT = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

/** Prepares the console: its files, and the exchange of sessions for tokens. */
export function prepareConsole({
  database,
  clock,
  accounts,
  folder = BUILT,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly folder?: string | undefined;
}): Pick<ConsoleParts, 'mountPath' | 'files' | 'sessions' | 'accountSessions' | 'logins' | 'nowMs'> {
  return {
    mountPath: CONSOLE_MOUNT_PATH,
    files: ConsoleFiles.open(folder),
    sessions: new ConsoleSessions({ database, clock, sessions: accounts.sessions }),
    accountSessions: accounts.sessions,
    logins: accounts.logins,
    nowMs: () => clock.now(),
  };
}
