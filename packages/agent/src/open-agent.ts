import type { Agent, AgentNotice, AgentOptions } from './agent.ts';
import { ServiceClock } from './clock/service-clock.ts';
import { systemClock } from './clock/system-clock.ts';
import { LocalAgent } from './local-agent.ts';
import { parsePolicies } from './policy/policy-list.ts';
import { PolicyKeeper } from './policy-cache.ts';
import { checkAgentVersion } from './recording/check-detection.ts';
import { openEventStore } from './store/open-event-store.ts';
import { createSeal } from './upload/seal.ts';

const DEFAULT_BUDGET_BYTES = 64 * 1024 * 1024;
const DEFAULT_MEMORY_BUDGET_BYTES = 4 * 1024 * 1024;

/**
 * Opens the agent of an enrolled device on its storage, keys and way to the service. From then on the storage is the
 * agent's: `close` gives it back, as does a failure to open.
 *
 * @throws TypeError when an option would have the service refuse events
 * @throws StorageError, KeyError when the store is somebody else's, or cannot be read at all
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { storage, keys, clock = systemClock } = options;
  const nowMs = () => clock.nowMs();
  const serviceClock = new ServiceClock(nowMs);
  const notify = (notice: AgentNotice) => {
    try {
      options.onNotice?.(notice);
    } catch {
      // What the application does with a notice is no reason to lose an event.
    }
  };
  let opened: { close(): Promise<void> } = storage;
  try {
    checkOptions(options);
    const store = await openEventStore({
      storage,
      keys,
      clock,
      budgetBytes: options.budgetBytes ?? DEFAULT_BUDGET_BYTES,
      memoryBudgetBytes: options.memoryBudgetBytes ?? DEFAULT_MEMORY_BUDGET_BYTES,
      fsync: options.fsync ?? 'always',
      sealEvents: createSeal((text) => keys.sha256Hex(text)),
      onNotice: notify,
    });
    opened = store;
    const { transport, fallbackPolicies: fallback } = options;
    const policies = await PolicyKeeper.open({ storage, transport, serviceClock, nowMs, fallback });
    const agent = new LocalAgent({ options, clock, serviceClock, store, policies, notify });
    await agent.start();
    return agent;
  } catch (error) {
    await opened.close();
    await options.indicators?.close();
    throw error;
  }
}

/** A mistake here would have every event refused, or let memory grow, or delete what is to be kept. */
function checkOptions(options: AgentOptions): void {
  for (const name of ['memoryBudgetBytes', 'retentionDays', 'statusEveryHours'] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 0 && Number.isFinite(value))) {
      throw new TypeError(`${name} must be a number that is not negative.`);
    }
  }
  const { agentVersion, fallbackPolicies } = options;
  if (agentVersion !== undefined) checkAgentVersion(agentVersion);
  if (fallbackPolicies !== undefined && parsePolicies(fallbackPolicies) === undefined) {
    throw new TypeError('fallbackPolicies must be policies as the API gives them.');
  }
}
