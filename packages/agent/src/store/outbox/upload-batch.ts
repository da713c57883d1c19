import type { SealEvents, SealedBatch, SealLimits, UploadResult } from '../event-store.ts';
import type { RefusedEvent, SentEnd } from '../journal/journal-record.ts';
import { toRanges } from '../journal/number-ranges.ts';
import { OUTBOX_SHARE } from '../ring.ts';
import type { Entry, Segment, Settlement, StoredEntry } from '../segments/segment.ts';
import type { EventStoreOptions } from '../store-options.ts';
import type { UnlockedStore } from '../unlocked-store.ts';
import { chooseEvents, sealWhatFits } from './choose-batch.ts';
import { type Outbox, outboxFile, unsettled, writeOutbox } from './outbox.ts';

export interface SealOptions extends Pick<EventStoreOptions, 'storage' | 'keys' | 'budgetBytes'> {
  readonly sealEvents: SealEvents;
  readonly onDamaged: () => void;
}

/** Returns the batch in upload, or seals the next one. A batch is on disk before it can be sent. */
export async function sealBatch(
  store: UnlockedStore,
  options: SealOptions,
  limits: SealLimits,
): Promise<SealedBatch | undefined> {
  const outbox = store.outbox ?? (await sealNext(store, options, limits));
  store.outbox = outbox;
  return outbox && { events: unsettled(outbox).map(({ event }) => event) };
}

async function sealNext(
  store: UnlockedStore,
  options: SealOptions,
  limits: SealLimits,
): Promise<Outbox | undefined> {
  const { catalog, journalState, log, ring } = store;
  await ring.removeLeftovers();
  const maxBytes = Math.min(limits.maxBytes, options.budgetBytes * OUTBOX_SHARE * 0.8);
  const read = async (segment: Segment, entry: Entry) => {
    const found = await log.read(segment, entry);
    if (found === undefined && !entry.gone) {
      segment.lose(entry);
      store.damaged += 1;
      options.onDamaged();
    }
    return found?.content.event;
  };
  const chosen = await chooseEvents(catalog.inSendingOrder(), read, { ...limits, maxBytes });
  if (chosen.length === 0) {
    return undefined;
  }
  const { lostInAll } = journalState;
  const missing = lostInAll - journalState.end.droppedCovered;
  const { sequence, hash } = journalState.end;
  const begin = missing > 0 ? { sequence: sequence + missing, hash: undefined } : { sequence, hash };
  const sealed = sealWhatFits(options.sealEvents, chosen, { end: begin, maxBytes });
  const entries = new Map<number, StoredEntry>();
  for (const { segment, entry } of chosen.slice(0, sealed.events.length)) {
    entries.set(entry.number, { segment, entry });
  }
  const numbers = [...entries.keys()];
  const items = sealed.events.map((event, index) => ({ number: numbers[index] ?? 0, event }));
  const end: SentEnd = { ...sealed.end, droppedCovered: lostInAll };
  const number = journalState.finishedOutbox + 1;
  const sizeBytes = await writeOutbox(options, number, { items, end });
  journalState.end = end;
  return { number, items, end, sizeBytes, entries, settlements: new Map() };
}

/** Records the service's results for events of the batch. With the last result the batch is removed. */
export async function settleBatch(
  store: UnlockedStore,
  results: readonly UploadResult[],
  times: { deliveredAt: string; nowIso: () => string },
): Promise<void> {
  const { outbox, journal } = store;
  const resultById = new Map(results.map((result) => [result.eventId, result]));
  const open = outbox === undefined ? [] : unsettled(outbox);
  const answered = open.flatMap(({ number, event }) => {
    const result = resultById.get(event.event_id);
    return result === undefined ? [] : [{ number, result }];
  });
  if (outbox === undefined || answered.length === 0) {
    return;
  }
  const { deliveredAt, nowIso } = times;
  const archivedAt = nowIso();
  const archived = answered.filter(({ result }) => result.kind === 'archived').map(({ number }) => number);
  const refused = answered.flatMap(({ number, result }): RefusedEvent[] =>
    result.kind === 'refused'
      ? [{ number, refusedAt: archivedAt, status: result.status, code: result.code }]
      : [],
  );
  const isLast = answered.length === open.length;
  const numbersRefused = new Set(refused.map(({ number }) => number));
  const finished = isLast
    ? { finished: { outbox: outbox.number, end: endAfter(outbox, numbersRefused) } }
    : {};
  await journal.write({
    kind: 'settled',
    archived: toRanges(archived.sort((one, other) => one - other)),
    deliveredAt,
    archivedAt,
    refused,
    ...finished,
  });
  const archivedTogether: Settlement = { kind: 'archived', deliveredAt, archivedAt };
  for (const number of archived) {
    recordSettlement(outbox, number, archivedTogether);
  }
  for (const { number, refusedAt, status, code } of refused) {
    recordSettlement(outbox, number, { kind: 'refused', refusedAt, refusal: { status, code } });
  }
  if (isLast) {
    store.outbox = undefined;
    await store.ring.removeLater(outboxFile(outbox.number));
  }
}

function recordSettlement({ settlements, entries }: Outbox, number: number, settlement: Settlement): void {
  settlements.set(number, settlement);
  const stored = entries.get(number);
  stored?.segment.settle(stored.entry, settlement);
}

/** The service does not store an event that it refused, so the next one must not name it. Its number stays unused. */
function endAfter({ items, settlements, end }: Outbox, refusedNow: ReadonlySet<number>): SentEnd {
  const last = items.at(-1)?.number ?? 0;
  const isRefused = refusedNow.has(last) || settlements.get(last)?.kind === 'refused';
  return isRefused ? { sequence: end.sequence, droppedCovered: end.droppedCovered } : end;
}
