import { ID_PREFIXES, INDICATOR_LIMIT, INDICATOR_SOURCE_LIMIT } from '@tps/contract';
import type { IndicatorKey } from '@tps/detection/indicators';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createId } from '../../platform/identifiers.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import { NO_TENANT } from '../../platform/tenant-id.ts';
import { type AuditRecord, auditStore } from '../audit/index.ts';
import { hasSameContent, type KeyedIndicators } from './indicator-import.ts';
import {
  beginImport,
  countImport,
  emptySource,
  type ImportCounts,
  type IndicatorSourceRecord,
  newSource,
  withoutOne,
} from './indicator-source.ts';
import * as indicatorSourceStore from './indicator-source-store.ts';
import type { Owner } from './indicator-store.ts';
import * as indicatorStore from './indicator-store.ts';

/** The owner, source and actor of a change. `NO_TENANT` owns the global indicators. */
export interface IndicatorChange {
  readonly owner: Owner;
  readonly source: string;
  readonly actor: AuditRecord['actor'];
  readonly requestId: string | null;
}

export interface ImportRequest {
  /** The import that this request continues; if omitted, a new one begins. */
  readonly importId?: string | undefined;
  /** Removes the indicators that no request of this import named. */
  readonly replace: boolean;
  readonly indicators: KeyedIndicators;
}

export interface ImportResult extends Omit<ImportCounts, 'repeated'> {
  readonly importId: string;
  readonly removed: number;
  /** The number of indicators that the source has now. */
  readonly indicators: number;
}

/** Imports and removes indicators inside the caller's transaction, each with its audit entry. */
export class IndicatorService {
  readonly #clock: Clock;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** @throws ServiceError `import_superseded`, `indicator_limit_reached` */
  async import(tx: Queries, change: IndicatorChange, request: ImportRequest): Promise<ImportResult> {
    const { owner, source } = change;
    const nowMs = this.#clock.now();
    const head = await indicatorSourceStore.lockHead(tx, owner);
    const before = await openImport(tx, change, { importId: request.importId, nowMs });
    const counts = await countKnown(tx, { owner, source: before, indicators: request.indicators });
    const { replace: isReplaced } = request;
    const { record, removed } = countImport(before, counts, { isReplaced, nowMs });
    const indicators = head.indicators + counts.added - removed;
    if (indicators > INDICATOR_LIMIT) {
      throw limitReached(`The limit is ${INDICATOR_LIMIT} indicators; remove a source first`);
    }
    const { importNumber } = record;
    await indicatorStore.save(tx, owner, { indicators: request.indicators, importNumber });
    await indicatorSourceStore.save(tx, owner, record);
    const { added, updated, unchanged } = counts;
    const isChanged = added + updated + removed > 0;
    await indicatorSourceStore.saveHead(tx, owner, {
      version: isChanged ? nextVersion(head.version, nowMs) : head.version,
      indicators,
    });
    const importId = record.importId ?? '';
    await audit(tx, change, {
      action: 'indicator.import',
      detail: `Indicators imported from ${source}`,
      fields: { import_id: importId, added, updated, unchanged, removed, replace: isReplaced },
      nowMs,
    });
    return { importId, added, updated, unchanged, removed, indicators: record.indicators };
  }

  /** Removes all indicators of a source. @throws ServiceError `not_found`, also when repeated */
  removeSource(tx: Queries, change: IndicatorChange): Promise<{ removed: number }> {
    const nowMs = this.#clock.now();
    return this.#change(tx, change, async (before) => {
      const removed = before.indicators;
      if (removed === 0) throw notFound('source of indicators');
      await indicatorSourceStore.save(tx, change.owner, emptySource(before, nowMs));
      const detail = `All indicators of ${change.source} removed`;
      await audit(tx, change, { action: 'indicator.remove', detail, fields: { removed }, nowMs });
      return { removed };
    });
  }

  /** Removes one indicator of a source. @throws ServiceError `not_found`, also when repeated */
  removeOne(tx: Queries, change: IndicatorChange, key: IndicatorKey): Promise<{ removed: number }> {
    const nowMs = this.#clock.now();
    return this.#change(tx, change, async (before) => {
      const number = await indicatorStore.remove(tx, change.owner, change.source, key);
      // Indicators that an earlier import left behind count as removed, even before they are purged.
      if (number === undefined || number < before.keptSince) throw notFound('indicator');
      await indicatorSourceStore.save(tx, change.owner, withoutOne(before, number, nowMs));
      await audit(tx, change, {
        action: 'indicator.remove',
        detail: `One indicator of ${change.source} removed`,
        // Only the digest: a URL may contain private data.
        fields: { removed: 1, type: key.type, sha256: key.digest },
        nowMs,
      });
      return { removed: 1 };
    });
  }

  async #change(
    tx: Queries,
    { owner, source }: IndicatorChange,
    work: (before: IndicatorSourceRecord) => Promise<{ removed: number }>,
  ): Promise<{ removed: number }> {
    const { version, indicators } = await indicatorSourceStore.lockHead(tx, owner);
    const before = await indicatorSourceStore.find(tx, owner, source);
    if (!before) throw notFound('source of indicators');
    const { removed } = await work(before);
    await indicatorSourceStore.saveHead(tx, owner, {
      version: nextVersion(version, this.#clock.now()),
      indicators: indicators - removed,
    });
    return { removed };
  }
}

/**
 * Devices reject versions below one they have seen. Starting from the time keeps versions after a restored backup above
 * all earlier ones.
 */
function nextVersion(version: number, nowMs: number): number {
  return Math.max(version + 1, nowMs);
}

/** Continues the import with this id, or begins a new one. */
async function openImport(
  tx: Queries,
  { owner, source }: IndicatorChange,
  { importId, nowMs }: { importId: string | undefined; nowMs: number },
): Promise<IndicatorSourceRecord> {
  const found = await indicatorSourceStore.find(tx, owner, source);
  if (importId !== undefined) {
    if (found?.importId === importId) return found;
    throw new ServiceError(
      'import_superseded',
      'import_id is not the newest import of this source; start again without import_id',
    );
  }
  if (!found || found.indicators === 0) {
    const sources = await indicatorSourceStore.list(tx, owner);
    if (sources.filter(({ indicators }) => indicators > 0).length >= INDICATOR_SOURCE_LIMIT) {
      throw limitReached(
        `The limit is ${INDICATOR_SOURCE_LIMIT} sources of indicators; remove a source first`,
      );
    }
  }
  return beginImport(found ?? newSource(source, nowMs), createId(ID_PREFIXES.import, nowMs));
}

async function countKnown(
  tx: Queries,
  { owner, source, indicators }: { owner: Owner; source: IndicatorSourceRecord; indicators: KeyedIndicators },
): Promise<ImportCounts> {
  const known = await indicatorStore.findKnown(tx, owner, source.source, [...indicators.keys()]);
  const counts = { added: 0, updated: 0, unchanged: 0, repeated: 0 };
  for (const [{ type, digest }, indicator] of indicators) {
    const before = known.get(`${type} ${digest}`);
    if (!before || before.importNumber < source.keptSince) counts.added += 1;
    else if (hasSameContent(before.indicator, indicator)) counts.unchanged += 1;
    else counts.updated += 1;
    if (before?.importNumber === source.importNumber) counts.repeated += 1;
  }
  return counts;
}

function limitReached(message: string): ServiceError {
  return new ServiceError('indicator_limit_reached', message);
}

async function audit(
  tx: Queries,
  { owner, source, actor, requestId }: IndicatorChange,
  entry: Pick<AuditRecord, 'action' | 'detail' | 'fields'> & { nowMs: number },
): Promise<void> {
  const { action, detail, fields, nowMs } = entry;
  await auditStore.append(
    tx,
    {
      actor,
      action,
      detail,
      fields,
      requestId,
      outcome: 'success',
      tenantId: owner === NO_TENANT ? null : owner,
      resource: { type: 'indicator_source', id: source },
    },
    nowMs,
  );
}
