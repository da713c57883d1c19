import type { SealEvents, SealedBatch, SealLimits, Verdict } from '../event-store.ts';
import type { RefusedEvent, SentEnd } from '../journal/journal-record.ts';
import { toRanges } from '../journal/number-ranges.ts';
import { OUTBOX_SHARE } from '../ring.ts';
import type { Entry, Outcome, Segment, StoredEntry } from '../segments/segment.ts';
import type { EventStoreOptions } from '../store-options.ts';
import type { UnlockedStore } from '../unlocked-store.ts';
import { chooseEvents, sealWhatFits } from './choose-batch.ts';
import { type Outbox, outboxFile, unsettled, writeOutbox } from './outbox.ts';

export interface SealingOptions extends Pick<EventStoreOptions, 'storage' | 'keys' | 'budgetBytes'> {
  readonly sealEvents: SealEvents;
  readonly onDamaged: () => void;
}

/** Gives the batch that is being uploaded, or seals the next one: it is on disk before anyone can send it. */
export async function sealBatch(
  store: UnlockedStore,
  options: SealingOptions,
  limits: SealLimits,
): Promise<SealedBatch | undefined> {
  const outbox = store.outbox ?? (await sealNext(store, options, limits));
  store.outbox = outbox;
  return outbox && { events: unsettled(outbox).map(({ event }) => event) };
}

async function sealNext(
  store: UnlockedStore,
  options: SealingOptions,
  limits: SealLimits,
): Promise<Outbox | undefined> {
  const { catalog, ledger, log, ring } = store;
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
  const { droppedInAll } = ledger;
  const missing = droppedInAll - ledger.end.droppedCovered;
  const { sequence, hash } = ledger.end;
  const begin = missing > 0 ? { sequence: sequence + missing, hash: undefined } : { sequence, hash };
  const sealed = sealWhatFits(options.sealEvents, chosen, { end: begin, maxBytes });
  const entries = new Map<number, StoredEntry>();
  for (const { segment, entry } of chosen.slice(0, sealed.events.length)) {
    entries.set(entry.number, { segment, entry });
  }
  const numbers = [...entries.keys()];
  const items = sealed.events.map((event, index) => ({ number: numbers[index] ?? 0, event }));
  const end: SentEnd = { ...sealed.end, droppedCovered: droppedInAll };
  const number = ledger.finishedOutbox + 1;
  const sizeBytes = await writeOutbox(options, number, { items, end });
  ledger.end = end;
  return { number, items, end, sizeBytes, entries, outcomes: new Map() };
}

/** Notes what the service said of events of the batch. With the last verdict the batch is gone. */
export async function settleBatch(
  store: UnlockedStore,
  verdicts: readonly Verdict[],
  times: { deliveredAt: string; nowIso: () => string },
): Promise<void> {
  const { outbox, journal } = store;
  const verdictById = new Map(verdicts.map((verdict) => [verdict.eventId, verdict]));
  const open = outbox === undefined ? [] : unsettled(outbox);
  const answered = open.flatMap(({ number, event }) => {
    const verdict = verdictById.get(event.event_id);
    return verdict === undefined ? [] : [{ number, verdict }];
  });
  if (outbox === undefined || answered.length === 0) {
    return;
  }
  const { deliveredAt, nowIso } = times;
  const archivedAt = nowIso();
  const archived = answered.filter(({ verdict }) => verdict.kind === 'archived').map(({ number }) => number);
  const refused = answered.flatMap(({ number, verdict }): RefusedEvent[] =>
    verdict.kind === 'refused'
      ? [{ number, refusedAt: archivedAt, status: verdict.status, code: verdict.code }]
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
  const archivedTogether: Outcome = { kind: 'archived', deliveredAt, archivedAt };
  for (const number of archived) {
    noteOutcome(outbox, number, archivedTogether);
  }
  for (const { number, refusedAt, status, code } of refused) {
    noteOutcome(outbox, number, { kind: 'refused', refusedAt, refusal: { status, code } });
  }
  if (isLast) {
    store.outbox = undefined;
    await store.ring.removeLater(outboxFile(outbox.number));
  }
}

function noteOutcome({ outcomes, entries }: Outbox, number: number, outcome: Outcome): void {
  outcomes.set(number, outcome);
  const stored = entries.get(number);
  stored?.segment.settle(stored.entry, outcome);
}

/** The service has no event that it refused, so the next one must not name it. Its sequence number stays unused. */
function endAfter({ items, outcomes, end }: Outbox, refusedNow: ReadonlySet<number>): SentEnd {
  const last = items.at(-1)?.number ?? 0;
  const isRefused = refusedNow.has(last) || outcomes.get(last)?.kind === 'refused';
  return isRefused ? { sequence: end.sequence, droppedCovered: end.droppedCovered } : end;
}
