import { type Static, Type } from 'typebox';
import { SCOPES, type Scope } from './scope-meanings.ts';
import { stringEnum } from './values.ts';

export { ROLE_SCOPES, ROLES, type Role, SCOPE_MEANINGS, SCOPES, type Scope } from './scope-meanings.ts';

export const ScopeName = stringEnum(SCOPES, 'A permission, `<noun>:<verb>`.') as ReturnType<
  typeof Type.Unsafe<Scope>
>;
export const ScopeList = Type.Array(ScopeName, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true });
export type ScopeList = Static<typeof ScopeList>;
