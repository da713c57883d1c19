const HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  // Turns off a filter of old browsers that made pages less safe.
  'x-xss-protection': '0',
} as const;

const HEADERS_OVER_TLS = {
  ...HEADERS,
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
} as const;

/** Returns the headers that restrict what browsers do with a response. Every response has them. */
export function securityHeaders({ isTls }: { isTls: boolean }): Readonly<Record<string, string>> {
  return isTls ? HEADERS_OVER_TLS : HEADERS;
}
