import { randomInt } from 'node:crypto';
import { ServiceError } from '../platform/service-error.ts';

/** Returns the error for a store that is full or gone. The wait is random, so that clients do not all retry at once. */
export function storeUnavailable(cause: unknown): ServiceError {
  const retryAfterSeconds = randomInt(1, 6);
  return new ServiceError('unavailable', 'The store is not reachable at the moment.', {
    cause,
    retryAfterSeconds,
  });
}
