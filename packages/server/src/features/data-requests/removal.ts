import type { Queries } from '../../database/index.ts';
import type { Tables } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { Leftovers } from './data-request.ts';
import type { SubjectMatcher } from './subject.ts';

interface Parts {
  readonly tx: Queries;
  readonly tenantId: TenantId;
  readonly requestId: string;
  readonly matcher: SubjectMatcher;
  readonly nowMs: number;
}

/** A deletion inside a transaction that has locked the feed. Counts what it deletes, and notes to what rows may still refer. */
export class Removal implements Parts {
  readonly tx: Queries;
  readonly tenantId: TenantId;
  readonly requestId: string;
  readonly matcher: SubjectMatcher;
  readonly nowMs: number;
  readonly #counts: Partial<Record<keyof Tables, number>> = {};
  readonly #incidentIds: Set<string>;
  readonly #inputRefs: Set<string>;

  /** @param leftovers what earlier steps of the request have not finished */
  constructor(parts: Parts, leftovers: Leftovers) {
    this.tx = parts.tx;
    this.tenantId = parts.tenantId;
    this.requestId = parts.requestId;
    this.matcher = parts.matcher;
    this.nowMs = parts.nowMs;
    this.#incidentIds = new Set(leftovers.incidentIds);
    this.#inputRefs = new Set(leftovers.inputRefs);
  }

  /** Deleted rows by table. */
  get counts(): Readonly<Partial<Record<keyof Tables, number>>> {
    return this.#counts;
  }

  /** The deleted objects to which rows may still refer. */
  get leftovers(): Leftovers {
    return { incidentIds: [...this.#incidentIds], inputRefs: [...this.#inputRefs] };
  }

  add(table: keyof Tables, rows: number): void {
    if (rows > 0) this.#counts[table] = (this.#counts[table] ?? 0) + rows;
  }

  /** Notes that incidents were deleted. */
  leaveIncidents(incidentIds: readonly string[]): void {
    for (const id of incidentIds) this.#incidentIds.add(id);
    this.leaveInputs(incidentIds);
  }

  /** Notes that objects were deleted which jobs can have as an input. */
  leaveInputs(inputRefs: readonly string[]): void {
    for (const id of inputRefs) this.#inputRefs.add(id);
  }
}
