/** Codes are words in snake case. Anything else is not from the API, and is neither kept nor shown. */
const CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** Parses the API's error object. Undefined when the content is not from the API, such as a proxy's answer. */
export function parseApiError(
  content: unknown,
): { readonly code: string; readonly message: string } | undefined {
  const error = (content as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error;
  const { code, message } = error ?? {};
  const isValid = typeof code === 'string' && CODE.test(code) && typeof message === 'string';
  return isValid ? { code, message } : undefined;
}
