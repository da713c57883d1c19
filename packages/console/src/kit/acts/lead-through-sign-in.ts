import { AuthenticationError } from '@tps/client';
import { accountPage } from '../../session/index.ts';

/** Where the service demands a recent sign-in, leads through it and back to this address. Returns whether it did. */
export function leadThroughSignIn(error: unknown): boolean {
  if (!(error instanceof AuthenticationError) || error.code !== 'reauthentication_required') return false;
  location.assign(accountPage('confirm'));
  return true;
}
