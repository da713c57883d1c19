/** Headers of every answer; those of the rate limit count one tenant's requests. */
export const RATE_LIMIT_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** `components.headers`. */
export const HEADERS: Record<string, object> = {
  'X-Request-Id': {
    description: 'Names this request in logs and audit entries.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Most requests per 60 seconds.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the present 60 seconds.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'Unix second at which the next request is freed.',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  Location: { description: 'Where it can be read back.', schema: { type: 'string' } },
  ETag: {
    description: 'Version of what is answered, for `If-Match` and `If-None-Match`.',
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

/** Headers that an operation declares by name. */
export const OPTIONAL_HEADERS = {
  'Idempotency-Key': [
    'Repeats the first answer for the same key and body within 24 hours.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ],
  'If-Match': [
    'Refuses the change with 412 unless this is the present ETag.',
    { type: 'string', maxLength: 100 },
  ],
  'If-None-Match': [
    'Answers 304 without a body when one of these tags, or `*`, names what would be answered (RFC 9110 section 13.1.2).',
    { type: 'string' },
  ],
} as const;
