import type { NewDataRequest } from '@tps/contract';
import { DATA_REQUEST_LIMIT, ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { createId } from '../../platform/identifiers.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { actorOf, auditStore } from '../audit/index.ts';
import { type FeedHead, feedHeadStore } from '../feed/index.ts';
import { BEGINNING, type DataRequestRecord } from './data-request.ts';
import * as dataRequestStore from './data-request-store.ts';
import { type Subject, toSubject } from './subject.ts';

/** What a valid request asks for. */
export interface AcceptedDataRequest {
  readonly kind: NewDataRequest['kind'];
  readonly subject: Subject;
}

/** Accepts data requests, each with an audit entry in the same transaction. The worker carries them out. */
export class DataRequestService {
  readonly #clock: Clock;
  readonly #wake: () => void;

  constructor({ clock, wake }: { clock: Clock; wake: () => void }) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** @throws ServiceError `invalid_field` */
  accept(wanted: NewDataRequest): AcceptedDataRequest {
    const subject = toSubject(wanted);
    requireConfirmation(wanted);
    return { kind: wanted.kind, subject };
  }

  /** Locks the feed of the tenant: first, because a deletion holds it when it removes kept responses. */
  lock(tx: Queries, tenantId: AdmittedRequest['tenantId']): Promise<FeedHead> {
    return feedHeadStore.lock(tx, tenantId);
  }

  /**
   * Stores a request in the caller's transaction, which has locked the feed. What arrives later is not part of it.
   * @throws ServiceError `data_request_limit_reached`
   */
  async create(
    tx: Queries,
    { kind, subject, head }: AcceptedDataRequest & { head: FeedHead },
    request: AdmittedRequest,
  ): Promise<DataRequestRecord> {
    const { tenantId } = request;
    if ((await dataRequestStore.countRunning(tx, tenantId)) >= DATA_REQUEST_LIMIT) {
      const message = `A tenant can have at most ${DATA_REQUEST_LIMIT} data requests in progress: wait until one has completed`;
      throw new ServiceError('data_request_limit_reached', message);
    }
    const nowMs = this.#clock.now();
    const record: DataRequestRecord = {
      tenantId,
      requestId: createId(ID_PREFIXES.data_request, nowMs),
      kind,
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
    const { requestId, untilPosition } = record;
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
  }

  /** Begins the work on new requests. */
  wake(): void {
    this.#wake();
  }
}

function requireConfirmation({ kind, subject, confirm }: NewDataRequest): void {
  if (kind === 'export' || confirm === (subject.device_id ?? subject.indicator)) return;
  throw new ServiceError('invalid_field', 'confirm must be the value of the subject, exactly as it is sent');
}
