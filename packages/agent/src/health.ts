import type { IndicatorsState } from './ports/indicators.ts';
import type { StoreState } from './store/event-store.ts';

/** How the agent is doing, at one moment. Holds no event content. */
export interface AgentHealth {
  readonly deviceId: string;
  readonly agentVersion: string;
  readonly store: StoreState;
  readonly upload: {
    /** `stopped`: the service refused the device or its credential; it starts again with `resume` or a restart. */
    readonly state: 'idle' | 'sending' | 'backing_off' | 'stopped';
    /** Why it backs off or has stopped, in one sentence. */
    readonly reason: string | undefined;
    readonly attempts: number;
    readonly delivered: number;
    /** RFC 3339; undefined before the first answer since the start. */
    readonly lastContactAt: string | undefined;
    readonly nextAttemptAt: string | undefined;
  };
  readonly policies: {
    readonly count: number;
    /** When the service last confirmed them; undefined when they never came from it. */
    readonly confirmedAt: string | undefined;
  };
  /** Undefined when the agent has none to keep. */
  readonly indicators: IndicatorsState | undefined;
  /** How far the device's clock is ahead of the service's, in milliseconds; undefined before the first answer. */
  readonly clockAheadMs: number | undefined;
}
