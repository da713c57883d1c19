declare const brand: unique symbol;

/**
 * The tenant that a piece of work belongs to. Branded, so that no other text can take its place: the value comes
 * from a credential, or from a stored tenant that an operator named.
 */
export type TenantId = string & { readonly [brand]: 'TenantId' };

/** Stands for "no tenant" in keys, which begin with the tenant and cannot be null. */
export const NO_TENANT = '';
