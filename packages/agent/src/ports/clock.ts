/** The agent's source of time. */
export interface AgentClock {
  /** Wall clock in Unix milliseconds. May jump, so the agent uses it for nothing that must be monotonic. */
  nowMs(): number;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
