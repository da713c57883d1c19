/** The code of the writer thread. It stores each group of submissions in one transaction, on its own connection. */
import { workerData } from 'node:worker_threads';
import { openInThread, type ThreadDatabase } from '../../../database/index.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { RequestDatabase } from '../../authority/index.ts';
import type { DerivationSettings } from '../derive/derivation-settings.ts';
import { type AppendedGroup, appendGroup } from './append-group.ts';
import type { Submission } from './submission.ts';

/** What the thread is started with. */
export interface AppendWorkerSettings {
  readonly databaseUrl: string;
  /** How many groups may be under way at the same time. */
  readonly concurrency: number;
  readonly derivation: DerivationSettings;
}

export interface AppendTask {
  readonly submissions: readonly Submission[];
  readonly nowMs: number;
}

/** Errors that mean "the store is full or gone" are values: threads cannot exchange instances of classes. */
export type AppendAnswer =
  | ({ readonly kind: 'appended' } & AppendedGroup)
  | { readonly kind: 'unavailable'; readonly reason: string; readonly reasonCode: string | undefined };

const { databaseUrl, concurrency, derivation } = workerData as AppendWorkerSettings;
let database: ThreadDatabase | undefined;

export async function append({ submissions, nowMs }: AppendTask): Promise<AppendAnswer> {
  try {
    // Opened when it is first needed: a store that is away must not keep the thread from starting.
    database ??= openInThread(databaseUrl, { poolSize: concurrency });
    const clock = { now: () => nowMs };
    const requests = new RequestDatabase({ database, clock });
    return {
      kind: 'appended',
      ...(await appendGroup(submissions, { database: requests, clock, settings: derivation })),
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'unavailable') throw error;
    const { message, code } = Object(error.cause) as { message?: unknown; code?: unknown };
    return {
      kind: 'unavailable',
      reason: String(message),
      reasonCode: typeof code === 'string' ? code : undefined,
    };
  }
}
