import type { History, StoredRecord } from './event-store.ts';
import type { RecordContent } from './segments/record.ts';
import type { Entry, Outcome } from './segments/segment.ts';

/** Tells of a stored event what the record and the journal say. */
export function storedRecordOf(content: RecordContent, { outcome }: Entry): StoredRecord {
  const { number, event, createdAt, enrichedAt, persistedAt } = content;
  const history = { created: createdAt, enriched: enrichedAt, persisted: persistedAt, ...stagesOf(outcome) };
  return { number, event, history, refusal: outcome?.kind === 'refused' ? outcome.refusal : undefined };
}

function stagesOf(outcome: Outcome | undefined): History {
  switch (outcome?.kind) {
    case 'archived':
      return { delivered: outcome.deliveredAt, archived: outcome.archivedAt };
    case 'refused':
      return { refused: outcome.refusedAt };
    default:
      return {};
  }
}
