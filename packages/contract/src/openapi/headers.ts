/** Headers of every response. The rate limit counts the requests of a tenant, or of a token for operators. */
export const RATE_LIMIT_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** `components.headers`. */
export const HEADERS: Record<string, object> = {
  'X-Request-Id': {
    description:
      'Identifies this request in logs and audit entries: the id that the client sent, or a new one.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Maximum number of requests per 60 seconds.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current 60 seconds.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'Unix time in seconds at which the next request becomes available.',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  'Content-Language': { description: 'Language of `details`.', schema: { type: 'string' } },
  Vary: { description: 'Request headers that the response depends on.', schema: { type: 'string' } },
  Location: { description: 'URL path of the resource.', schema: { type: 'string' } },
  ETag: {
    description: 'Version of the returned resource, for `If-Match` and `If-None-Match`.',
    schema: { type: 'string' },
  },
};

/** Headers of the responses of operations that are deprecated, declared only in a document that has such an operation. */
export const DEPRECATION_HEADERS: Record<string, object> = {
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745): `@<Unix seconds>`.',
    schema: { type: 'string' },
  },
  Sunset: {
    description: 'From when the operation may be removed (RFC 8594), as an HTTP date.',
    schema: { type: 'string' },
  },
};

/** Headers of every signed request. */
export const SIGNATURE_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Digest', 'RFC 9530 digest of the body: `sha-256=:<base64>:`.'],
  [
    'Signature-Input',
    'RFC 9421 parameters: `@method`, `@path`, `content-digest`; created, nonce, keyid, alg, tag.',
  ],
  ['Signature', 'RFC 9421 signature.'],
];

/** Headers that an operation may declare by name. */
export const OPTIONAL_HEADERS = {
  'Accept-Language': [
    'Languages for the sentence in `details`, with quality values (RFC 9110 section 12.5.4): `en`, `de`, `fr`, `es`, `it`, `nl` or `pt`. English when none of them is accepted.',
    { type: 'string', maxLength: 500 },
  ],
  'Idempotency-Key': [
    'Within 24 hours, a repeat with the same key and body returns the first response again; another body is 409 `idempotency_conflict`. Keys belong to the calling token.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ],
  'If-Match': [
    'Rejects the change with 412 unless this is the current ETag.',
    { type: 'string', maxLength: 100 },
  ],
  'If-None-Match': [
    'Returns 304 without a body when one of these tags, or `*`, matches the current ETag (RFC 9110 section 13.1.2).',
    { type: 'string' },
  ],
  'Last-Event-ID': [
    'The last `id` that was received. The stream continues after it. Has precedence over `cursor`.',
    { type: 'string', maxLength: 512 },
  ],
} as const;
