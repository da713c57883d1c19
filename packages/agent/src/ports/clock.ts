/** The agent's source of time. */
export interface AgentClock {
  /** Wall clock in Unix milliseconds. May jump: the agent derives nothing from it that must be monotonic. */
  nowMs(): number;
  /** Resolves after the time. Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
