import { ConnectionError, NotFoundError, ServiceError, TimeoutError } from '@tps/client';

/** A change that a person asks for, with its repeats: the answer to an earlier one was lost, so it may have been made. */
export interface Attempt {
  /** The same in each repeat, so that the service makes the change once. */
  readonly idempotencyKey: string;
  readonly startedAtMs: number;
  readonly isRepeat: boolean;
}

export function newAttempt(nowMs: number): Attempt {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const idempotencyKey = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { idempotencyKey, startedAtMs: nowMs, isRepeat: false };
}

/** Whether a change may have been made although it failed. */
export function isAnswerLost(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServiceError;
}

/** Waits for a removal. What is not there any more is removed: the client may have repeated a request whose answer was lost. */
export async function removed(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
