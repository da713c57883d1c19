import { ServiceError } from '../../../platform/service-error.ts';

/** The response while the store does not answer: the same request may succeed later. */
export const STORE_DOWN = {
  status: 503,
  retryAfterS: '1',
  body: { error: 'temporarily_unavailable', error_description: 'the service cannot answer at the moment' },
} as const;

export function isStoreDown(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unavailable';
}
