import type { Action, ChangedEvent, Event, Policy, PolicySimulation, ThreatCategory } from '@tps/contract';
import {
  choosePolicy,
  FALLBACK_POLICIES,
  type RankedPolicies,
  rankPolicies,
  STATUS_POLICY_ID,
} from '@tps/contract/decision';
import { ACTIONS } from '@tps/contract/vocabulary';

/** The policies of a tenant as they are, and as they would be. */
export interface PolicyComparison {
  readonly before: readonly Policy[];
  readonly after: readonly Policy[];
  /** Those on which a decision can change. */
  readonly categories: readonly ThreatCategory[];
}

type ActionCounts = Record<Action, number>;

/** What a simulation counts, without the range that was read. */
export type SimulationCounts = Omit<
  PolicySimulation,
  'read' | 'complete' | 'oldest_received_at' | 'events'
> & { readonly events: readonly ChangedEvent[] };

/** Decides on past events with two lists of policies, and counts the differences. Takes the newest event first. */
export class SimulationTally {
  readonly #ranked: ReadonlyMap<ThreatCategory, { before: RankedPolicies; after: RankedPolicies }>;
  readonly #maxListed: number;
  readonly #taken = noActions();
  readonly #before = noActions();
  readonly #after = noActions();
  readonly #devices = new Set<string>();
  readonly #events: ChangedEvent[] = [];
  #leftOut = 0;
  #stricter = 0;
  #milder = 0;

  constructor({ before, after, categories }: PolicyComparison, maxListed: number) {
    this.#maxListed = maxListed;
    this.#ranked = new Map(
      categories.map((category) => [
        category,
        { before: rank(category, before), after: rank(category, after) },
      ]),
    );
  }

  /** Counts an event of one of the categories. */
  add(event: Event): void {
    const ranked = this.#ranked.get(event.threat_category);
    if (ranked === undefined) return;
    if (event.corrects_event_id !== undefined || event.policy_id === STATUS_POLICY_ID) {
      this.#leftOut += 1;
      return;
    }
    const before = choosePolicy(event.confidence, ranked.before).action;
    const { action: after, decider } = choosePolicy(event.confidence, ranked.after);
    this.#taken[event.action_taken] += 1;
    this.#before[before] += 1;
    this.#after[after] += 1;
    if (before === after) return;
    if (ACTIONS.indexOf(after) > ACTIONS.indexOf(before)) this.#stricter += 1;
    else this.#milder += 1;
    this.#devices.add(event.device_id);
    if (this.#events.length < this.#maxListed) {
      this.#events.push(toChangedEvent(event, { before, after, policy_id: decider.policy_id }));
    }
  }

  get counts(): SimulationCounts {
    return {
      matched: Object.values(this.#taken).reduce((sum, count) => sum + count, 0),
      left_out: this.#leftOut,
      taken: { ...this.#taken },
      before: { ...this.#before },
      after: { ...this.#after },
      stricter: this.#stricter,
      milder: this.#milder,
      devices: this.#devices.size,
      events: [...this.#events],
    };
  }
}

function rank(category: ThreatCategory, policies: readonly Policy[]): RankedPolicies {
  return rankPolicies(category, { policies, fallback: FALLBACK_POLICIES });
}

function noActions(): ActionCounts {
  return { allow: 0, warn: 0, block: 0 };
}

function toChangedEvent(
  event: Event,
  outcome: Pick<ChangedEvent, 'before' | 'after' | 'policy_id'>,
): ChangedEvent {
  const { event_id, device_id, timestamp, threat_category, confidence, severity, action_taken } = event;
  return {
    event_id,
    device_id,
    timestamp,
    threat_category,
    confidence,
    severity,
    action_taken,
    ...outcome,
  };
}
