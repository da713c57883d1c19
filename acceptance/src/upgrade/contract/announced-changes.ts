/**
 * What the comparison with the last release finds and is meant, with the reason. Changes that callers have to follow are listed
 * in docs/upgrade.md and CHANGELOG.md. Empty this list with each release.
 */
export const ANNOUNCED_CHANGES: Readonly<Record<string, string>> = {
  'POST /devices: body.tenant_id is required': 'breaking',
  'POST /devices/{id}/keys: body.tenant_id is required': 'breaking',
  ...withReason('the filter accepts several values now, and every single value of before', [
    'GET /events: query device_id has another pattern',
    'GET /threats: query device_id has another pattern',
    'GET /alerts: query device_id has another pattern',
    'GET /alerts: query incident_id has another pattern',
    'GET /indicators: query source has maxLength 4000',
    'GET /indicators: query source has another pattern',
    'GET /webhooks/dlq: query webhook_id has another pattern',
  ]),
  ...withReason('the pattern has always had this limit', [
    'POST /indicators: body.source has maxLength 64',
    'POST /indicators: body.indicators[].threat_type has maxLength 64',
    'DELETE /indicators: query source has maxLength 64',
  ]),
  ...withReason('only for tokens of `tps login`, which version 0.2.0 did not have', [
    'POST /webhooks: requires a recent sign-in',
    'PATCH /webhooks/{id}: requires a recent sign-in',
    'POST /webhooks/{id}/rotate-secret: requires a recent sign-in',
    'POST /tokens: requires a recent sign-in',
    'DELETE /tokens/{id}: requires a recent sign-in',
    'POST /tokens/{id}/roll: requires a recent sign-in',
  ]),
};

function withReason(reason: string, changes: readonly string[]): Record<string, string> {
  return Object.fromEntries(changes.map((change) => [change, reason]));
}
