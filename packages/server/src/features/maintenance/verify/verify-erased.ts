import { createHash, type Hash } from 'node:crypto';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { FindingCollector, type Findings } from './finding.ts';
import { pagesOf } from './rows-read-model.ts';
import type { AuditCheck } from './verify-audit.ts';

type Place = Pick<Row<'erased_events'>, 'position' | 'event_hash' | 'received_at' | 'request_id'>;

/** The entry of a completed deletion. */
interface Completion {
  readonly proof: string;
  readonly events: number;
}

/** The places that claim to be erased by one request. */
interface Claim {
  readonly lines: Hash;
  places: number;
  /** Those that no entry names. */
  readonly unnamed: number[];
}

/** Collects what the audit log of one tenant says about events that were erased on request. */
export class RecordedErasures {
  /** The request that erased the event at each position. */
  readonly #requestIds = new Map<number, string>();
  readonly #completions = new Map<string, Completion>();
  /** Requests whose entries name positions. */
  readonly #named = new Set<string>();
  /** The time of the first entry. */
  #sinceMs: number | undefined;

  add(entry: Pick<Row<'audit_entries'>, 'action' | 'resource_id' | 'fields' | 'occurred_at'>): void {
    const { action, resource_id: requestId, fields } = entry;
    this.#sinceMs ??= entry.occurred_at;
    if (action === 'data_request.erase') {
      this.#named.add(requestId);
      const { positions } = JSON.parse(fields) as { positions: readonly number[] };
      for (const position of positions) this.#requestIds.set(position, requestId);
    }
    if (action === 'data_request.complete') {
      const { proof, records } = JSON.parse(fields) as { proof: string; records: { event?: number } };
      this.#completions.set(requestId, { proof, events: records.event ?? 0 });
    }
  }

  /**
   * Compares the places of erased events with the log. An event is erased after it arrived, so the log names each that arrived
   * since its first entry.
   */
  async verify(queries: ReadQueries, tenantId: string, audit: AuditCheck): Promise<Findings> {
    const collector = new FindingCollector();
    const isRead = audit.findings.problems.length === 0;
    const claims = new Map<string, Claim>();
    for await (const rows of pagesOf(queries, 'erased_events', { tenantId, key: ['position'] })) {
      for (const place of rows) {
        const isOlder = !audit.isComplete && place.received_at < (this.#sinceMs ?? Number.POSITIVE_INFINITY);
        const isNamed = this.#requestIds.has(place.position);
        const mayBeUnnamed = isOlder || !isRead;
        const claim = claimOf(claims, place);
        if (isNamed) collector.add(this.#whyOfAnother(place));
        else if (mayBeUnnamed) collector.skip('from before the audit log');
        else claim.unnamed.push(place.position);
      }
    }
    for (const [requestId, claim] of claims) this.#compareUnnamed(collector, requestId, claim);
    return collector.findings();
  }

  #whyOfAnother({ position, request_id: claimedId }: Place): string | undefined {
    const requestId = this.#requestIds.get(position);
    if (requestId === claimedId) return undefined;
    return `event ${position} was erased by ${requestId}, not by ${claimedId}`;
  }

  /**
   * Builds from before the release of 0.3.0 recorded no positions, but a hash over all places of a request when it
   * completed.
   */
  #compareUnnamed(collector: FindingCollector, requestId: string, { lines, places, unnamed }: Claim): void {
    const completion = this.#completions.get(requestId);
    const isProven = completion?.proof === lines.digest('hex');
    const isPurged = completion !== undefined && places < completion.events && !this.#named.has(requestId);
    if (isPurged && unnamed.length > 0)
      collector.skip('of a request without positions, in part past the retention', unnamed.length);
    else for (const position of unnamed) collector.add(isProven ? undefined : describeRemoved(position));
  }
}

function claimOf(claims: Map<string, Claim>, { request_id, position, event_hash: hash }: Place): Claim {
  const claim = claims.get(request_id) ?? { lines: createHash('sha256'), places: 0, unnamed: [] };
  claim.lines.update(`${position} ${Buffer.from(hash).toString('hex')}\n`);
  claim.places += 1;
  claims.set(request_id, claim);
  return claim;
}

function describeRemoved(position: number): string {
  return `event ${position} is stored as erased, but no data request erased it: it was removed`;
}
