import { parentPort, workerData } from 'node:worker_threads';
import { openInThread, storeUnavailable, type ThreadDatabase } from '../../../database/index.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { RequestDatabase } from '../../authority/index.ts';
import type { DerivationSettings } from '../derive/derivation-settings.ts';
import { type AppendedGroup, appendGroup } from './append-group.ts';
import type { Submission } from './submission.ts';

/** What the thread is started with. */
export interface AppendWorkerSettings {
  readonly databaseUrl: string;
  readonly derivation: DerivationSettings;
}

export interface AppendTask {
  readonly submissions: readonly Submission[];
  /** The time of the main thread when it sent the group. */
  readonly nowMs: number;
  /** When that was, by the clock of the process: time since its start of another thread is not comparable. */
  readonly sentAtMs: number;
}

/** Errors are plain data: threads cannot exchange instances of classes. `unavailable`: the store is full or not reachable. */
export type AppendAnswer =
  | ({ readonly kind: 'appended' } & AppendedGroup)
  | {
      readonly kind: 'unavailable' | 'failed';
      readonly message: string;
      readonly stack: string | undefined;
      readonly code: unknown;
    };

/** Two groups of single events, one of batches, and the tenants that get a separate transaction after a failure. */
const CONNECTIONS = 8;

const { databaseUrl, derivation } = workerData as AppendWorkerSettings;
let database: ThreadDatabase | undefined;

export async function append({ submissions, nowMs, sentAtMs }: AppendTask): Promise<AppendAnswer> {
  // Running, because a group waits for the one before and for locks, and a credential may end meanwhile.
  const clock = {
    now: () => nowMs + Math.max(0, Math.floor(performance.timeOrigin + performance.now() - sentAtMs)),
  };
  try {
    database ??= open();
    const requests = new RequestDatabase({ database, clock });
    const group = await appendGroup(submissions, { database: requests, nowMs, settings: derivation });
    return { kind: 'appended', ...group };
  } catch (error) {
    const isUnavailable = error instanceof ServiceError && error.code === 'unavailable';
    return {
      kind: isUnavailable ? 'unavailable' : 'failed',
      ...describe(isUnavailable ? error.cause : error),
    };
  }
}

/** Called when the store is first needed: the thread must start even if the store is not reachable. */
function open(): ThreadDatabase {
  try {
    return openInThread(databaseUrl, { poolSize: CONNECTIONS });
  } catch (error) {
    throw storeUnavailable(error);
  }
}

function describe(error: unknown): { message: string; stack: string | undefined; code: unknown } {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, code: undefined };
  return { message: error.message, stack: error.stack, code: 'code' in error ? error.code : undefined };
}

/** Answers the main thread. A group that arrives during a transaction starts at once on another connection, if there is one. */
export function answerTasks(answer: (task: AppendTask) => Promise<AppendAnswer>): void {
  parentPort?.on('message', async ({ id, task }: { id: number; task: AppendTask }) => {
    parentPort?.postMessage({ id, answer: await answer(task) });
  });
}
