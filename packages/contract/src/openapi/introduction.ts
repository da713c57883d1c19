/** `info.description`: what a reader needs before the first request. */
export const INTRODUCTION = `Receives signed detection events from device agents, stores them append-only, and derives \
alerts, threats and incidents from them.

## Requests

Paths are relative to the base URL of the service. Bodies are JSON in UTF-8 (\`application/json\`), without a \
\`Content-Encoding\`, at most 1 MiB (\`/events/batch\` 5 MiB, \`/scan\` 16 MiB; the operator can change this). Values are \
not coerced, and unknown members are rejected, except in an event's \`metadata\`. A body on DELETE is ignored. HEAD works \
wherever GET does. IDs are \`<prefix>_<body>\`. An ID of another tenant is 404, like one that does not exist.

## Credentials

Send a credential in \`Authorization: Bearer\` or \`X-API-Key\`. In the query string or a body it is 400 \
\`credential_in_query\` and is not used: revoke a credential that was exposed this way. Each operation names the scope that \
it requires.

A credential is bound to a tenant. **Operator credentials** are not: they select the tenant with \`tenant_id\`, in the \
query of GET and DELETE, in the body of other methods. A bound credential may repeat its own tenant; another one is 403 \
\`tenant_mismatch\`.

## Errors

Errors are \`{"error":{"code","message","status"}}\`. Branch on \`code\`; messages may change. The message names one \
problem and counts the others. With \`Accept: application/problem+json\`, errors are RFC 9457 problem details, whose \`errors\` list what is wrong with a body \
or query, up to 20 problems. Quote the \`X-Request-Id\` of a response when you report a problem. You can choose the id: \
send \`X-Request-Id\` with up to 128 letters, digits, dots, hyphens and underscores. It must begin with a letter or digit, \
and not with \`req_\`, which begins the ids of the service; any other value is replaced. A \`traceparent\` header (W3C Trace \
Context) is continued, also in the webhook deliveries of an event.

## Lists and cursors

A page is \`{"data","has_more","next_cursor"}\`. Send \`next_cursor\` as \`cursor\` to read the next page, with the same \
filters. Lists are sorted newest first and end with a \`next_cursor\` of \`null\`. The feed (\`GET /events\`) is sorted \
oldest first and always has a \`next_cursor\`: keep it and resume there. Cursors do not expire.

A filter takes several values, separated by commas: any of them matches. After a leading \`!\`, none of them matches. \
\`/counts\` below a list counts what the list finds with the same filters, over time.

## Retries and idempotency

Events are idempotent by \`event_id\`: repeat an event until it is answered with 201 or 200. Where an operation accepts \
\`Idempotency-Key\`, a repeat within 24 hours returns the first response. \`If-Match\` prevents lost updates. Retry 429 and \
503 after \`Retry-After\` seconds.

## Rate limits

By default 120 requests per 60 seconds and tenant, or per operator token. Devices, people in the console and programs each \
have a reserve, a part of the limit that the others cannot use. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are \
in every response; more requests are 429 \`rate_limited\`.

## Signed requests

Devices sign the requests that register them, send events and replace keys, with RFC 9421 HTTP message signatures over \
the RFC 9530 \`Content-Digest\`. The signature covers \`@method\`, \`@path\` and \`content-digest\`. Each attempt needs a new \
\`nonce\` and \`created\`.

## Webhooks

The service posts accepted \`warn\` and \`block\` events to registered URLs, signed with HMAC-SHA256 and at least once, in \
any order. Verify the signature over the bytes of the body before you parse it, and handle each \`event_id\` once. The \
webhook \`eventAccepted\` describes a delivery.`;
