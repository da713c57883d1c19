import type { Policy } from '@tps/contract';
import { FALLBACK_POLICIES, type PolicySet } from '@tps/contract/decision';
import type { ServiceClock } from './clock/service-clock.ts';
import { isSameTag } from './encoding/entity-tag.ts';
import { type PolicyList, parsePolicyList } from './policy/policy-list.ts';
import type { AgentStorage } from './ports/storage.ts';
import type { AgentTransport, CurrentTag } from './ports/transport.ts';

const FILE = 'policies.json';
/** Ten times the size of 1000 policies with the longest names in ASCII. */
const LIMIT_BYTES = 8 * 1024 * 1024;

export interface PolicyCacheParts {
  readonly storage: AgentStorage;
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  readonly nowMs: () => number;
  readonly fallback: readonly Policy[] | undefined;
}

/** The tenant's policies as last confirmed. They outlive a restart and an unreachable service. */
export class PolicyCache {
  readonly #parts: PolicyCacheParts;
  #list: PolicyList | undefined;

  private constructor(parts: PolicyCacheParts, list: PolicyList | undefined) {
    this.#parts = parts;
    this.#list = list;
  }

  /** Loads the stored policies. Without a readable file the fallback policies decide. */
  static async open(parts: PolicyCacheParts): Promise<PolicyCache> {
    const bytes = await parts.storage.read(FILE, LIMIT_BYTES).catch(() => undefined);
    const list = bytes === undefined ? undefined : parsePolicyList(new TextDecoder().decode(bytes));
    return new PolicyCache(parts, list);
  }

  get set(): PolicySet {
    return { policies: this.#list?.policies ?? [], fallback: this.#parts.fallback ?? FALLBACK_POLICIES };
  }

  get count(): number {
    return this.#list?.policies.length ?? 0;
  }

  /** When the service last confirmed the policies (RFC 3339); undefined if it never did. */
  get confirmedAt(): string | undefined {
    return this.#list?.confirmedAt;
  }

  /**
   * Asks the service. False when it did not answer, or refused; the known policies then stay in force. If these have the
   * current tag, that confirms them without a request.
   */
  async refresh(signal: AbortSignal, current?: CurrentTag): Promise<boolean> {
    const { transport, serviceClock, storage } = this.#parts;
    if (isSameTag(this.#list?.etag, current?.etag)) return this.#confirm();
    const outcome = await transport.fetchPolicies(this.#list?.etag, signal);
    serviceClock.note(outcome);
    if (outcome.kind !== 'answered') return false;
    if (outcome.body.kind === 'unchanged') return this.#confirm();
    const { policies, etag } = outcome.body;
    this.#list = { policies, etag, confirmedAt: this.#now() };
    // If the disk is full, the policies are in memory only; the next change tries to store them again.
    await storage.replace(FILE, new TextEncoder().encode(JSON.stringify(this.#list))).catch(() => {});
    return true;
  }

  #confirm(): true {
    if (this.#list !== undefined) this.#list = { ...this.#list, confirmedAt: this.#now() };
    return true;
  }

  #now(): string {
    return new Date(this.#parts.nowMs()).toISOString();
  }
}
