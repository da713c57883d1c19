import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { isAlerting } from '../../alerts/index.ts';
import { filterKeysOf, subjectOf } from '../../feed/index.ts';
import type { ChainedEvent } from './feed-check-read-model.ts';

/** Returns the column of an event that contradicts its stored text; undefined if all agree. */
export function findDifferingColumn(row: ChainedEvent, tenantId: string): string | undefined {
  const event = readJson(row.body) as Event;
  if (event.tenant_id !== tenantId) return 'tenant_id';
  if (event.event_id !== row.event_id) return 'event_id';
  if (event.device_id !== row.device_id) return 'device_id';
  if (event.threat_category !== row.threat_category) return 'threat_category';
  if (event.severity !== row.severity) return 'severity';
  if ((event.corrects_event_id ?? null) !== row.corrects_event_id) return 'corrects_event_id';
  if (Date.parse(event.timestamp) !== row.timestamp) return 'timestamp';
  if ((event.action_taken !== 'allow') !== (row.threat_id !== null)) return 'threat_id';
  // Empty in an event of an older version, and no column in a backup of one.
  if (row.filter_keys && row.filter_keys !== filterKeysOf(event, subjectOf(event))) return 'filter_keys';
  const alerting = isAlerting({ action: event.action_taken, severity: event.severity });
  if (alerting !== (row.alert_id !== null)) return 'alert_id';
  const isChained = event.sequence !== undefined || event.previous_event_hash !== undefined;
  return isChained === (row.device_chain !== 'unchained') ? undefined : 'device_chain';
}
