import type { Operation } from '@tps/contract';
import type { Caller } from '../../../platform/http/route.ts';

/** Whether a caller has the scope of an operation. */
export function hasScopeOf({ scopes }: Pick<Caller, 'scopes'>, { scope, legacyScope }: Operation): boolean {
  if (scope === null || scopes.includes(scope)) return true;
  return legacyScope !== undefined && scopes.includes(legacyScope);
}
