import type { CredentialState } from './credential/credential-renewal.ts';
import type { IndicatorsState } from './ports/indicators.ts';
import type { StoreState } from './store/event-store.ts';
import type { UploadState } from './upload/uploader.ts';

/** The agent's state at one moment. Holds no event content. */
export interface AgentHealth {
  readonly deviceId: string;
  readonly agentVersion: string;
  readonly store: StoreState;
  readonly upload: UploadState & {
    /** RFC 3339; undefined before the first answer since the start. */
    readonly lastContactAt: string | undefined;
  };
  readonly policies: {
    readonly count: number;
    /** When the service last confirmed them; undefined if they never came from it. */
    readonly confirmedAt: string | undefined;
  };
  /** Undefined when the agent was opened without indicators. */
  readonly indicators: IndicatorsState | undefined;
  /** Undefined when the application brings the credential. */
  readonly credential: CredentialState | undefined;
  /** How far the device's clock is ahead of the service's, in milliseconds; undefined before the first answer. */
  readonly clockAheadMs: number | undefined;
}

/** Maps the health to the `agent_status` of a status event, in snake case like everything on the wire. */
export function toAgentStatus(health: AgentHealth): Record<string, unknown> {
  const { store, upload, policies, clockAheadMs } = health;
  return {
    mode: store.mode,
    waiting: store.waiting,
    archived: store.archived,
    refused: store.refused,
    delivered: upload.delivered,
    dropped: store.dropped,
    undeclared: store.undeclared,
    damaged: store.damaged,
    missing: store.missing,
    used_bytes: store.usedBytes,
    budget_bytes: store.budgetBytes,
    policies: policies.count,
    ...(clockAheadMs === undefined ? {} : { clock_ahead_ms: clockAheadMs }),
  };
}
