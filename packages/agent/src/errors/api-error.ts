/** Codes are words in snake case. Anything else is not the API's, and is neither kept nor shown. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** What the API says about a refusal; undefined when that is not the API's, such as the answer of a proxy. */
export function errorOf(content: unknown): { readonly code: string; readonly message: string } | undefined {
  const error = (content as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error;
  const { code, message } = error ?? {};
  const isRight = typeof code === 'string' && CODE.test(code) && typeof message === 'string';
  return isRight ? { code, message } : undefined;
}
