import type { Database, InstallationKeys } from '../database/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Activity } from '../platform/concurrency/activity.ts';
import type { FairTurns } from '../platform/concurrency/fair-turns.ts';
import type { Config } from '../platform/config/config.ts';
import type { SecretBox } from '../platform/crypto/secret-box.ts';
import type { CursorCodec } from '../platform/http/cursors.ts';
import type { Route } from '../platform/http/route.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { OutboundClient } from '../platform/outbound/outbound-client.ts';
import type { TenantId } from '../platform/tenant-id.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';
import type { WebRoute, WebSite } from '../platform/web/web-route.ts';
import type { RequestDatabase } from './authority/index.ts';
import type { ServiceCheck } from './notices/index.ts';

/** What features use and none of them owns. */
export interface SharedParts {
  readonly config: Config;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** For the service's own work. Requests change the store through `requests`. */
  readonly database: Database;
  readonly requests: RequestDatabase;
  readonly keys: InstallationKeys;
  readonly cursors: CursorCodec;
  readonly turns: FairTurns;
  readonly activity: Activity;
  readonly secrets: SecretBox;
  /** Calls the URLs that customers have set. */
  readonly client: OutboundClient;
  readonly mailer: Mailer;
  readonly site: WebSite & { readonly mountPath: string };
}

/**
 * What a feature adds to the service. A module that other features use returns what they use as well, in a spread: the
 * compiler compares the rest with this type.
 */
export interface Feature {
  /** Its operations of the API. */
  readonly routes?: readonly Route[];
  /** Its pages for people. */
  readonly pages?: readonly WebRoute[];
  /** Its work beside requests. It starts when the service listens, and begins to stop when the service does. */
  readonly loops?: readonly Loop[];
  /** What maintenance repeats once a minute, by the name that a failure is logged with. */
  readonly chores?: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;
  /** Deletes what a tenant needs no longer. Maintenance repeats it once a minute. */
  purgeTenant?(tenantId: TenantId, nowMs: number): Promise<void>;
  /** A part of the service that can fail alone, as named in GET /status, and the check that reports it. */
  readonly component?: { readonly name: string; isUp(): boolean; readonly check: FailureTexts };
  readonly checks?: readonly ServiceCheck[];
  /** Completes what is under way. Called after the last request, when the loops have stopped. */
  close?(): unknown;
}

export interface Loop {
  start(): void;
  /** Resolves when the work has ended. Safe to call again. */
  stop(): Promise<unknown>;
}

/** How the operator reads that a component is down. */
interface FailureTexts {
  readonly name: string;
  readonly problem: string;
  readonly whatToDo: string;
}
