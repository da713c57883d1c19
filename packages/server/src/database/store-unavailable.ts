import { randomInt } from 'node:crypto';
import { ServiceError } from '../platform/service-error.ts';

/** Makes the refusal for a store that is full or gone. The wait is drawn, so that clients do not return all in one second. */
export function storeUnavailable(cause: unknown): ServiceError {
  const retryAfterSeconds = randomInt(1, 6);
  return new ServiceError('unavailable', 'The store is not reachable at the moment.', {
    cause,
    retryAfterSeconds,
  });
}
