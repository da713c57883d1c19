import type { DestinationStream } from 'pino';
import type { PasswordCost } from '../../features/accounts/index.ts';
import type { AppendThreadOptions } from '../../features/events/index.ts';
import type { Workflow } from '../../features/jobs/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import type { FirstCredentialsOutlet } from './first-start.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where the credentials of the first start go. */
  readonly outlet: FirstCredentialsOutlet;
  /** What jobs can run (default: incident triage). */
  readonly workflows?: readonly Workflow[];
  /** Replaces the writer thread with one that fails. */
  readonly appendThread?: Partial<AppendThreadOptions>;
  /** The cost of hashing passwords. Tests use a low one. */
  readonly passwordCost?: PasswordCost;
  /** The built console (default: that of this repository). */
  readonly consoleFolder?: string;
  /** Where the access log goes if there is one (default: standard output). */
  readonly accessOutput?: DestinationStream;
}

/** What must be closed, in the order it was opened. */
export type Closers = (() => unknown)[];
