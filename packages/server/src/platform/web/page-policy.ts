/**
 * Returns the `Content-Security-Policy` of a page: nothing inline, nothing from other sites, and no frame around it. Forms
 * lead to our own origin, and to the targets: Chromium applies `form-action` to redirects as well.
 */
export function pagePolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join(';');
}
