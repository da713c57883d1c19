/** Where indicators come from, and how far the import of it has come. Imports are numbered from 1. */
export interface IndicatorSourceRecord {
  readonly source: string;
  /** The newest import, which alone may go on; null once the source was removed. */
  readonly importId: string | null;
  readonly importNumber: number;
  /** What no import since this one has named counts as removed. */
  readonly keptSince: number;
  /** The table holds nothing any more that was named by imports before this one alone. */
  readonly sweptBefore: number;
  /** How many indicators the newest import has named. */
  readonly imported: number;
  /** How many there are. */
  readonly indicators: number;
  readonly updatedAtMs: number;
}

/** A source that nothing was imported from. */
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

/** Begins an import. The one before it can then go on no more. */
export function beginImport(record: IndicatorSourceRecord, importId: string): IndicatorSourceRecord {
  return { ...record, importId, importNumber: record.importNumber + 1, imported: 0 };
}

/** What one request of an import came to. */
export interface ImportCounts {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Of those named, how many this import had named before. */
  readonly repeated: number;
}

/**
 * Counts what a request of the newest import named. When the import replaces the source, what it has not named is removed.
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

/** Removes all that a source has. A later import begins anew. */
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

/** Counts one indicator less, which an import of that number had named last. */
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
