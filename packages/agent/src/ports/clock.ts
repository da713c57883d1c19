/** What the agent needs to know of time. */
export interface AgentClock {
  /** Wall clock in Unix milliseconds. May jump; nothing that must not is derived from it. */
  nowMs(): number;
  /** Waits, or rejects with the reason of the signal. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
