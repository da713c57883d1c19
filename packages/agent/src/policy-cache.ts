import type { Policy } from '@tps/contract';
import type { ServiceClock } from './clock/service-clock.ts';
import type { AgentHealth } from './health.ts';
import type { PolicySet } from './policy/decide.ts';
import { FALLBACK_POLICIES } from './policy/fallback-policies.ts';
import { type PolicyList, parsePolicyList } from './policy/policy-list.ts';
import type { AgentStorage } from './ports/storage.ts';
import type { AgentTransport } from './ports/transport.ts';

const FILE = 'policies.json';
/** Ten times what 1000 policies with the longest names take in ASCII. */
const LIMIT_BYTES = 8 * 1024 * 1024;

export interface PolicyKeeperParts {
  readonly storage: AgentStorage;
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  readonly nowMs: () => number;
  readonly fallback: readonly Policy[] | undefined;
}

/** Holds the tenant's policies, the last known ones also while the service is away and after a restart. */
export class PolicyKeeper {
  readonly #parts: PolicyKeeperParts;
  #list: PolicyList | undefined;

  private constructor(parts: PolicyKeeperParts, list: PolicyList | undefined) {
    this.#parts = parts;
    this.#list = list;
  }

  /** Reads what was kept. Policies that cannot be read are as if they had never come: the fallback decides. */
  static async open(parts: PolicyKeeperParts): Promise<PolicyKeeper> {
    const bytes = await parts.storage.read(FILE, LIMIT_BYTES).catch(() => undefined);
    const list = bytes === undefined ? undefined : parsePolicyList(new TextDecoder().decode(bytes));
    return new PolicyKeeper(parts, list);
  }

  get set(): PolicySet {
    return { policies: this.#list?.policies ?? [], fallback: this.#parts.fallback ?? FALLBACK_POLICIES };
  }

  get state(): AgentHealth['policies'] {
    return { count: this.#list?.policies.length ?? 0, confirmedAt: this.#list?.confirmedAt };
  }

  /** Asks the service. False when it did not answer, or refused: then what is known goes on holding. */
  async refresh(signal: AbortSignal): Promise<boolean> {
    const { transport, serviceClock, nowMs } = this.#parts;
    const outcome = await transport.fetchPolicies(this.#list?.etag, signal);
    serviceClock.note(outcome);
    if (outcome.kind !== 'answered') return false;
    const confirmedAt = new Date(nowMs()).toISOString();
    if (outcome.body.kind === 'unchanged') {
      if (this.#list !== undefined) this.#list = { ...this.#list, confirmedAt };
      return true;
    }
    const { policies, etag } = outcome.body;
    this.#list = { policies, etag, confirmedAt };
    // Kept in memory at least; a disk that is full will be tried with the next change.
    await this.#parts.storage
      .replace(FILE, new TextEncoder().encode(JSON.stringify(this.#list)))
      .catch(() => {});
    return true;
  }
}
