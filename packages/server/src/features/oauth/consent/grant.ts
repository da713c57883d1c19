import type Provider from 'oidc-provider';
import type { AllowedAccess } from './consent-service.ts';

/**
 * Stores what a person has allowed as a new grant: the provider would add the scopes to an earlier grant. Scopes that
 * the role does not have are recorded as rejected, so that the provider does not ask for them again.
 */
export async function saveGrant(
  provider: Provider,
  { accountId, clientId, grantId, decision }: AllowedAccess,
  resource: string | undefined,
): Promise<InstanceType<Provider['Grant']>> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.jti = grantId;
  const { api, openid, withheld } = decision;
  const given = [...openid, ...api];
  if (given.length > 0) grant.addOIDCScope(given);
  if (withheld.length > 0) grant.rejectOIDCScope([...withheld]);
  if (resource !== undefined && api.length > 0) grant.addResourceScope(resource, [...api]);
  if (resource !== undefined && withheld.length > 0) grant.rejectResourceScope(resource, [...withheld]);
  await grant.save();
  return grant;
}

/** What a client asks for, as the provider keeps the parameters of its request. */
export interface AskedAccess {
  readonly asked: readonly string[];
  /** The resource that the scopes belong to. */
  readonly resource: string | undefined;
}

export function readAskedAccess({ scope, resource }: Readonly<Record<string, unknown>>): AskedAccess {
  const first: unknown = Array.isArray(resource) ? resource[0] : resource;
  return {
    asked: typeof scope === 'string' ? scope.split(' ') : [],
    resource: typeof first === 'string' ? first : undefined,
  };
}
