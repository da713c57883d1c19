import { ApiError, ConnectionError, NotFoundError, PermissionError, TimeoutError } from '@tps/client';

export interface ErrorWords {
  readonly title: string;
  readonly message: string;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
}

/** Returns what failed, in words for the reader. */
export function wordsOfError(error: Error): ErrorWords {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return { title: titleOf(error), message: error.message, requestId };
}

function titleOf(error: Error): string {
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return 'The service does not respond';
  if (error instanceof NotFoundError) return 'This does not exist, or belongs to another tenant';
  if (error instanceof PermissionError) return 'Your role does not allow this';
  return 'The request failed';
}
