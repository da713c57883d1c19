import type { NewDataRequest } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { actorOf, auditStore } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import { BEGINNING, type DataRequestRecord } from './data-request.ts';
import * as dataRequestStore from './data-request-store.ts';
import { toSubject } from './subject.ts';

/** Accepts data requests, each with an audit entry in the same transaction. The worker carries them out. */
export class DataRequestService {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;
  readonly #wake: () => void;

  constructor(parts: { database: RequestDatabase; clock: Clock; wake: () => void }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#wake = parts.wake;
  }

  /** @throws ServiceError `invalid_field` */
  async create(wanted: NewDataRequest, request: AdmittedRequest): Promise<DataRequestRecord> {
    const { tenantId } = request;
    const subject = toSubject(wanted);
    requireConfirmation(wanted);
    const created = await this.#database.transaction(request, async (tx) => {
      // What arrives later is not part of the request.
      const head = await feedHeadStore.lock(tx, tenantId);
      const nowMs = this.#clock.now();
      const record: DataRequestRecord = {
        tenantId,
        requestId: createId(ID_PREFIXES.data_request, nowMs),
        kind: wanted.kind,
        status: 'running',
        subjectType: subject.type,
        subject: subject.value,
        untilPosition: head.position,
        progress: BEGINNING,
        counts: {},
        proof: null,
        createdAtMs: nowMs,
        createdBy: actorOf(request),
        completedAtMs: null,
        expiresAtMs: null,
      };
      await dataRequestStore.create(tx, record);
      const { kind, requestId, untilPosition } = record;
      const change = {
        tenantId,
        action: `data_request.${kind === 'export' ? 'export' : 'delete'}`,
        resource: { type: 'data_request', id: requestId },
        // Without the subject: the audit log outlives the deletion.
        detail: `${kind === 'export' ? 'Export' : 'Deletion'} of the data of one ${subject.type} requested`,
        fields: { subject_type: subject.type, until_position: untilPosition },
      };
      await auditStore.appendFor(tx, request, change, nowMs);
      return record;
    });
    this.#wake();
    return created;
  }
}

function requireConfirmation({ kind, subject, confirm }: NewDataRequest): void {
  if (kind === 'export' || confirm === (subject.device_id ?? subject.indicator)) return;
  throw new ServiceError('invalid_field', 'confirm must be the value of the subject, exactly as it is sent');
}
