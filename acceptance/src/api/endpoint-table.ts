/** One endpoint as clients rely on it. Written by hand, so that no derived value hides a change. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly scope: string;
  /** Accepted instead of the scope. */
  readonly legacyScope?: string;
  /** Status of a successful answer. */
  readonly success: number;
}

function row(method: Endpoint['method'], path: string, scope: string, success = 200): Endpoint {
  return { method, path, scope, success };
}

/** All endpoints, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = [
  row('GET', '/devices', 'devices:read'),
  row('POST', '/devices', 'devices:write', 201),
  row('GET', '/threats', 'threats:read'),
  row('GET', '/events', 'events:read'),
  row('POST', '/events', 'events:write', 201),
  row('GET', '/alerts', 'alerts:read'),
  row('GET', '/incidents', 'incidents:read'),
  row('GET', '/incidents/{id}', 'incidents:read'),
  row('PATCH', '/incidents/{id}', 'incidents:write'),
  row('GET', '/jobs', 'jobs:read'),
  row('POST', '/jobs', 'jobs:write', 201),
  row('GET', '/jobs/{id}', 'jobs:read'),
  row('POST', '/jobs/{id}/cancel', 'jobs:write'),
  { ...row('POST', '/jobs/{id}/review', 'jobs:review'), legacyScope: 'jobs:write' },
  row('GET', '/jobs/audit', 'jobs:read'),
  row('GET', '/jobs/{id}/audit', 'jobs:read'),
  row('GET', '/jobs/{id}/steps', 'jobs:read'),
  row('GET', '/jobs/{id}/artifacts', 'jobs:read'),
  row('GET', '/artifacts/{id}', 'jobs:read'),
  row('GET', '/traces/{id}', 'jobs:read'),
  row('GET', '/traces/{id}/steps', 'jobs:read'),
  row('GET', '/tokens', 'tokens:read'),
  row('POST', '/tokens', 'tokens:write', 201),
  row('GET', '/tokens/audit', 'tokens:read'),
  row('GET', '/tokens/{id}', 'tokens:read'),
  row('GET', '/tokens/{id}/audit', 'tokens:read'),
  row('DELETE', '/tokens/{id}', 'tokens:write', 204),
  row('POST', '/scan', 'scan:write'),
  row('GET', '/status', 'status:read'),
  row('GET', '/webhooks', 'webhooks:read'),
  row('POST', '/webhooks', 'webhooks:write', 201),
  row('GET', '/webhooks/dlq', 'webhooks:read'),
  row('POST', '/webhooks/dlq', 'webhooks:write', 202),
  row('DELETE', '/webhooks/dlq', 'webhooks:write', 204),
  row('GET', '/guidance', 'status:read'),
];
