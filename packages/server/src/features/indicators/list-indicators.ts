import { INDICATOR_SEARCH_LENGTH, type IndicatorSource, type ThreatIndicator } from '@tps/contract';
import { refang } from '@tps/detection/indicators';
import type { CursorPosition } from '../../platform/http/cursors.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { RequestDatabase } from '../authority/index.ts';
import * as indicatorSourceStore from './indicator-source-store.ts';
import type { IndicatorFilter, Owner, StoredIndicator } from './indicator-store.ts';
import * as indicatorStore from './indicator-store.ts';

type Scope = ThreatIndicator['scope'];

export interface ListedIndicator extends StoredIndicator {
  readonly scope: Scope;
}

/** Lists a page of the indicators that apply to a tenant: its own, then the global ones. */
export async function listIndicators(
  { read }: Pick<RequestDatabase, 'read'>,
  tenantId: TenantId,
  { after, limit, ...filter }: PageRequest & IndicatorFilter,
): Promise<ListedIndicator[]> {
  const listScope = async (scope: Scope, most: number): Promise<ListedIndicator[]> => {
    const from = after?.[0] === scope ? toListPosition(after) : undefined;
    const rows = await indicatorStore.list(read, ownerOf(scope, tenantId), {
      ...filter,
      after: from,
      limit: most,
    });
    return rows.map((row) => ({ ...row, scope }));
  };
  const own = after?.[0] === 'global' ? [] : await listScope('tenant', limit);
  return own.length === limit ? own : [...own, ...(await listScope('global', limit - own.length))];
}

/** Returns the position from which a list continues after an indicator. */
export function positionOf({ scope, source, type, digest, indicator }: ListedIndicator): CursorPosition {
  const searched = indicator.value.slice(0, INDICATOR_SEARCH_LENGTH);
  return [scope, source, type, Buffer.from(digest).toString('base64url'), searched];
}

/** Returns the beginning of a canonical value from what a person typed: without a scheme, which no value has. */
export function toValuePrefix(text: string): string {
  return refang(text.trim()).replace(/^https?:[/\\]*/i, '');
}

export function toThreatIndicator({ scope, indicator }: ListedIndicator): ThreatIndicator {
  const { type, value, source, category, threatType, confidence, label } = indicator;
  const { dualUse = false, validFromMs, validUntilMs } = indicator;
  return {
    scope,
    source,
    type,
    value,
    category,
    threat_type: threatType,
    confidence,
    dual_use: dualUse,
    ...(label === undefined ? {} : { label }),
    ...(validFromMs === undefined ? {} : { valid_from: toTimestamp(validFromMs) }),
    ...(validUntilMs === undefined ? {} : { valid_until: toTimestamp(validUntilMs) }),
  };
}

/** Lists the sources that apply to a tenant by name, its own first. */
export async function listSources(
  { read }: Pick<RequestDatabase, 'read'>,
  tenantId: TenantId,
): Promise<IndicatorSource[]> {
  const sources: IndicatorSource[] = [];
  for (const scope of ['tenant', 'global'] as const) {
    for (const record of await indicatorSourceStore.list(read, ownerOf(scope, tenantId))) {
      const { source, indicators, updatedAtMs } = record;
      if (indicators > 0) sources.push({ scope, source, indicators, updated_at: toTimestamp(updatedAtMs) });
    }
  }
  return sources;
}

function ownerOf(scope: Scope, tenantId: TenantId): Owner {
  return scope === 'tenant' ? tenantId : NO_TENANT;
}

function toListPosition([, source, type, digest, value = '']: CursorPosition): indicatorStore.ListPosition {
  return {
    value: String(value),
    source: String(source),
    type: String(type),
    digest: Buffer.from(String(digest), 'base64url'),
  };
}
