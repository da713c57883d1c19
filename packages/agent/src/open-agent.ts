import type { Agent, AgentNotice, AgentOptions } from './agent.ts';
import { ServiceClock } from './clock/service-clock.ts';
import { systemClock } from './clock/system-clock.ts';
import { LocalAgent } from './local-agent.ts';
import { parsePolicies } from './policy/policy-list.ts';
import { PolicyCache } from './policy-cache.ts';
import { checkAgentVersion } from './recording/check-detection.ts';
import { openEventStore } from './store/open-event-store.ts';
import { createSeal } from './upload/seal.ts';

const DEFAULT_BUDGET_BYTES = 64 * 1024 * 1024;
const DEFAULT_MEMORY_BUDGET_BYTES = 4 * 1024 * 1024;

/**
 * Opens the agent of an enrolled device on a storage, keys and a transport. The agent takes ownership of the storage and
 * closes it in `close`, or when opening fails.
 *
 * @throws TypeError when an option is invalid
 * @throws StorageError, KeyError when the store belongs to another device, or cannot be read at all
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { storage, keys, clock = systemClock } = options;
  const nowMs = () => clock.nowMs();
  const serviceClock = new ServiceClock(nowMs);
  const notify = (notice: AgentNotice) => {
    try {
      options.onNotice?.(notice);
    } catch {
      // A failing listener must not cost an event.
    }
  };
  let opened: { close(): Promise<void> } = storage;
  try {
    checkOptions(options);
    const { createDetector, redactEvent, toDetection } = await import('./detection-code.ts');
    const detection = { createDetector, toDetection };
    const store = await openEventStore({
      storage,
      keys,
      clock,
      budgetBytes: options.budgetBytes ?? DEFAULT_BUDGET_BYTES,
      memoryBudgetBytes: options.memoryBudgetBytes ?? DEFAULT_MEMORY_BUDGET_BYTES,
      fsync: options.fsync ?? 'always',
      sealEvents: createSeal({ sha256Hex: (text) => keys.sha256Hex(text), redactEvent }),
      onNotice: notify,
    });
    opened = store;
    const { transport, fallbackPolicies: fallback } = options;
    const policies = await PolicyCache.open({ storage, transport, serviceClock, nowMs, fallback });
    const agent = new LocalAgent({ options, clock, serviceClock, store, policies, detection, notify });
    await agent.start();
    return agent;
  } catch (error) {
    await opened.close();
    await options.indicators?.close();
    throw error;
  }
}

/** An invalid value would make the service refuse every event, let memory grow, or delete events too early. */
function checkOptions(options: AgentOptions): void {
  for (const name of ['memoryBudgetBytes', 'retentionDays', 'statusEveryHours'] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 0 && Number.isFinite(value))) {
      throw new TypeError(`${name} must be a finite number of at least 0.`);
    }
  }
  const { agentVersion, fallbackPolicies } = options;
  if (agentVersion !== undefined) checkAgentVersion(agentVersion);
  if (fallbackPolicies !== undefined && parsePolicies(fallbackPolicies) === undefined) {
    throw new TypeError('fallbackPolicies must be valid policies, as GET /policies returns them.');
  }
}
