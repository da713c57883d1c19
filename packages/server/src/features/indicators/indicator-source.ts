/** A source of indicators and the state of its imports, which are numbered from 1. */
export interface IndicatorSourceRecord {
  readonly source: string;
  /** The newest import, the only one that may continue; null after the source was removed. */
  readonly importId: string | null;
  readonly importNumber: number;
  /** Indicators that were last named by an import before this one count as removed. */
  readonly keptSince: number;
  /** Rows last named by imports before this one have been purged from the table. */
  readonly sweptBefore: number;
  /** The number of indicators that the newest import has named so far. */
  readonly imported: number;
  /** The number of indicators of the source. */
  readonly indicators: number;
  readonly updatedAtMs: number;
}

/** Returns a source without imports. */
export function newSource(source: string, nowMs: number): IndicatorSourceRecord {
  return {
    source,
    importId: null,
    importNumber: 0,
    keptSince: 0,
    sweptBefore: 0,
    imported: 0,
    indicators: 0,
    updatedAtMs: nowMs,
  };
}

/** Begins an import. The previous one can then no longer continue. */
export function beginImport(record: IndicatorSourceRecord, importId: string): IndicatorSourceRecord {
  return { ...record, importId, importNumber: record.importNumber + 1, imported: 0 };
}

/** The counts of one request of an import. */
export interface ImportCounts {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The number of indicators that an earlier request of this import had named already. */
  readonly repeated: number;
}

/**
 * Adds the counts of a request to the newest import. If the import replaces the source, indicators that it did not name
 * are removed.
 */
export function countImport(
  record: IndicatorSourceRecord,
  counts: ImportCounts,
  { isReplaced, nowMs }: { isReplaced: boolean; nowMs: number },
): { record: IndicatorSourceRecord; removed: number } {
  const { added, updated, unchanged, repeated } = counts;
  const imported = record.imported + added + updated + unchanged - repeated;
  const present = record.indicators + added;
  const removed = isReplaced ? present - imported : 0;
  const isChanged = added + updated + removed > 0;
  return {
    removed,
    record: {
      ...record,
      imported,
      indicators: present - removed,
      keptSince: isReplaced ? record.importNumber : record.keptSince,
      updatedAtMs: isChanged ? nowMs : record.updatedAtMs,
    },
  };
}

/** Removes all indicators of a source. The next request begins a new import. */
export function emptySource(record: IndicatorSourceRecord, nowMs: number): IndicatorSourceRecord {
  return {
    ...record,
    importId: null,
    keptSince: record.importNumber + 1,
    imported: 0,
    indicators: 0,
    updatedAtMs: nowMs,
  };
}

/** Removes one indicator, last named by the import with this number, from the counts. */
export function withoutOne(
  record: IndicatorSourceRecord,
  importNumber: number,
  nowMs: number,
): IndicatorSourceRecord {
  if (record.indicators <= 1) return emptySource(record, nowMs);
  return {
    ...record,
    indicators: record.indicators - 1,
    imported: record.imported - Number(importNumber === record.importNumber),
    updatedAtMs: nowMs,
  };
}
