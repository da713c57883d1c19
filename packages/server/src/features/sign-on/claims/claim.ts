/** What a provider states about a person in one place: the ID token, or the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Splits the name of a claim that an admin has set into steps. A name that begins with a slash is a JSON Pointer (RFC 6901)
 * to a claim within another one. Any other one is a single step: names of claims may have dots, or be a URL.
 */
export function toSteps(name: string): readonly string[] {
  if (!name.startsWith('/')) return [name];
  const steps = name.slice(1).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns whether a name leads anywhere: as a JSON Pointer, without empty steps. */
export function isClaimName(name: string): boolean {
  return /^(?:[^/].*|(?:\/(?:[^/~]|~[01])+)+)$/su.test(name);
}

/**
 * Reads a claim. Undefined if the provider does not give it: OpenID Connect Core, section 5.3.2, asks providers to leave
 * such a claim out, and some of them send null or an empty text.
 */
export function readClaim(claims: Claims, name: string): unknown {
  let value: unknown = claims;
  for (const step of toSteps(name)) {
    value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
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
