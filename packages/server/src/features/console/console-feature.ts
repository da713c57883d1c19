import { fileURLToPath } from 'node:url';
import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { SharedParts } from '../feature.ts';
import { ConsoleFiles } from './console-files.ts';
import { ConsoleSessions } from './console-sessions.ts';

/** Where Vite puts the console that it builds. */
const BUILT = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

interface Uses {
  readonly accounts: AccountsFeature;
  /** The built console (default: that of this repository). */
  readonly folder?: string | undefined;
}

/** The console: its files, and the exchange of sessions for tokens. It is served beside the pages. */
export function consoleFeature({ database, clock }: SharedParts, { accounts, folder = BUILT }: Uses) {
  const { sessions: accountSessions, logins } = accounts;
  return {
    ...{ accountSessions, logins },
    files: ConsoleFiles.open(folder),
    sessions: new ConsoleSessions({ database, clock, sessions: accountSessions }),
    nowMs: () => clock.now(),
  };
}
