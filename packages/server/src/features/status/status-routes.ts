import { getStatus } from '@tps/contract';
import type { Clock } from '../../platform/clock.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { RequestDatabase } from '../authority/index.ts';
import type { ThreatWindows } from '../threats/index.ts';
import {
  type PushStatus,
  type ScanStatus,
  toProtectionStatus,
  type WorkflowStatus,
} from './protection-status.ts';
import { readFacts } from './status-read-model.ts';

export function statusRoutes(parts: {
  database: RequestDatabase;
  clock: Clock;
  windows: ThreatWindows;
  version: string;
  push: PushStatus;
  worker: WorkflowStatus;
  analyzer: ScanStatus;
}): Route[] {
  const { database, clock, windows, version, push, worker, analyzer } = parts;
  return [
    route(getStatus, async ({ tenantId }) => {
      const nowMs = clock.now();
      const facts = await readFacts(database.read, tenantId, { nowMs, quietSinceMs: nowMs - windows.spanMs });
      return {
        status: 200,
        body: toProtectionStatus(facts, { tenantId, nowMs, version, push, worker, analyzer }),
      };
    }),
  ];
}
