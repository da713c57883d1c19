import type { ProtectionStatus } from '@tps/contract';
import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { ThreatWindows } from '../threats/index.ts';
import {
  type PushStatus,
  type ScanStatus,
  toProtectionStatus,
  type WorkflowStatus,
} from './protection-status.ts';
import { readFacts } from './status-read-model.ts';

interface Parts {
  readonly database: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly windows: ThreatWindows;
  readonly version: string;
  readonly push: PushStatus;
  readonly worker: WorkflowStatus;
  readonly analyzer: ScanStatus;
}

/** Derives the protection status of tenants, as this process sees it. */
export class StatusReader {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async read(tenantId: TenantId): Promise<ProtectionStatus> {
    const { database, clock, windows, ...service } = this.#parts;
    const nowMs = clock.now();
    const facts = await readFacts(database.read, tenantId, { nowMs, quietSinceMs: nowMs - windows.spanMs });
    return toProtectionStatus(facts, { tenantId, nowMs, ...service });
  }
}
