import { OWNED_DOMAINS } from '../../lexicon/owned-domains.ts';
import { BRANDS, type Brand } from './brands.ts';
import type { LinkAddress } from './link-address.ts';
import { withParentDomains } from './parent-domains.ts';

const BY_NAME: ReadonlyMap<string, Brand> = new Map(BRANDS.map((brand) => [brand.name, brand]));
const OWNERS: ReadonlyMap<string, Brand> = new Map(
  Object.entries(OWNED_DOMAINS).flatMap(([name, domains]) => {
    const brand = BY_NAME.get(name);
    return brand === undefined
      ? []
      : domains
          .trim()
          .split(/\s+/)
          .map((domain) => [domain, brand] as const);
  }),
);

/**
 * Returns the well-known company to which a host belongs by a list of such domains, or because the company owns the
 * whole top-level domain, as in `blog.google`. No top-level domain with the name of a listed company is sold to others.
 */
export function listedOwner({ host, suffix, disguised }: LinkAddress): Brand | undefined {
  if (disguised) return undefined;
  for (const domain of withParentDomains(host)) {
    const owner = OWNERS.get(domain);
    if (owner !== undefined) return owner;
  }
  return BY_NAME.get(suffix);
}
