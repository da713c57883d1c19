import { operations, SCOPE_MEANINGS, SCOPES, type Scope } from '@tps/contract';

/** What the scopes of OpenID Connect mean, in words for the person who is asked. */
const OPENID_MEANINGS = {
  openid: 'See which account is yours.',
  profile: 'Read your name.',
  email: 'Read your e-mail address.',
  offline_access: 'Keep this access while you are away.',
} as const;

type OpenidScope = keyof typeof OPENID_MEANINGS;

/** What a client gets of the scopes that it asks for. */
export interface ScopeDecision {
  readonly api: readonly Scope[];
  /** Scopes of OpenID Connect, which are about the person and do not depend on the role. */
  readonly openid: readonly OpenidScope[];
  /** Scopes of the API that the client may ask for, but the person does not have. */
  readonly withheld: readonly Scope[];
}

/** Decides by the scopes of the client, and by those of the person's role. A scope that does not exist is ignored. */
export function decideScopes(
  asked: readonly string[],
  { client, role }: { client: readonly Scope[]; role: readonly Scope[] },
): ScopeDecision {
  const possible = SCOPES.filter((scope) => asked.includes(scope) && client.includes(scope));
  return {
    api: possible.filter((scope) => role.includes(scope)),
    openid: (Object.keys(OPENID_MEANINGS) as OpenidScope[]).filter((scope) => asked.includes(scope)),
    withheld: possible.filter((scope) => !role.includes(scope)),
  };
}

/** Whether a decision gives nothing of what was asked for: signing in alone counts only if nothing else was asked. */
export function isEmpty({ api, openid, withheld }: ScopeDecision): boolean {
  if (api.length > 0) return false;
  return withheld.length > 0 || !openid.includes('openid');
}

/** Returns all scopes that a decision gives. */
export function givenBy({ api, openid }: Pick<ScopeDecision, 'api' | 'openid'>): string[] {
  return [...openid, ...api];
}

/** Scopes of operations that change who has access. In the console they need a recent proof of who the person is. */
const SENSITIVE: ReadonlySet<Scope | null> = new Set(
  operations.flatMap(({ recentSignIn, scope }) => (recentSignIn ? [scope] : [])),
);

/** Whether a decision lets a client change who has access. */
export function isSensitive({ api }: Pick<ScopeDecision, 'api'>): boolean {
  return api.some((scope) => SENSITIVE.has(scope));
}

/** Says what a scope permits. */
export function meaningOf(scope: Scope | OpenidScope): string {
  return { ...SCOPE_MEANINGS, ...OPENID_MEANINGS }[scope];
}
