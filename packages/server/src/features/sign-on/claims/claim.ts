/** What a provider states about a person in one place: the ID token, or the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads a claim. Undefined if the provider does not give it: OpenID Connect Core, section 5.3.2, asks providers to leave
 * such a claim out, and some of them send null or an empty text.
 */
export function readClaim(claims: Claims, name: string): unknown {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return value === null || value === '' ? undefined : value;
}

/** Reads a claim from the first source that has it: the userinfo endpoint only fills the gaps of the ID token. */
export function readFirst(sources: readonly Claims[], name: string): unknown {
  return sources.map((claims) => readClaim(claims, name)).find((value) => value !== undefined);
}

/** Returns whether a JSON value has members. */
export function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
