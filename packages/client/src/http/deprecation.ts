import type { Middleware } from 'openapi-fetch';

/** Warns on the console, once for each operation, when the service announces the end of an operation that was called. */
export function warnOfDeprecation(): Middleware {
  const known = new Set<string>();
  return {
    onResponse({ request, response, schemaPath }) {
      const since = /^@(\d{1,12})$/.exec(response.headers.get('deprecation') ?? '')?.[1];
      const operation = `${request.method} ${schemaPath}`;
      if (since === undefined || known.has(operation)) return;
      known.add(operation);
      const day = new Date(Number(since) * 1000).toISOString().slice(0, 10);
      const sunset = response.headers.get('sunset');
      const end = sunset === null ? '' : ` It may be removed from ${sunset} on.`;
      // biome-ignore lint/suspicious/noConsole: a developer reads it, and no other channel exists in browsers and Node alike
      console.warn(`${operation} is deprecated since ${day}.${end}`);
    },
  };
}
