import type { AgentHealth } from './health.ts';

/** What a status event tells of the agent's health. In snake case, as everything on the wire. */
export function statusOf({ store, upload, policies, clockAheadMs }: AgentHealth): Record<string, unknown> {
  return {
    mode: store.mode,
    waiting: store.waiting,
    archived: store.archived,
    refused: store.refused,
    delivered: upload.delivered,
    dropped: store.dropped,
    undeclared: store.undeclared,
    damaged: store.damaged,
    used_bytes: store.usedBytes,
    budget_bytes: store.budgetBytes,
    policies: policies.count,
    ...(clockAheadMs === undefined ? {} : { clock_ahead_ms: clockAheadMs }),
  };
}
