import type { ServiceClock } from './clock/service-clock.ts';
import type { AgentTransport, CurrentTag, UpdateTags } from './ports/transport.ts';

/** Statuses of a service, or of a gateway before it, that does not offer the request to this device. */
const NOT_OFFERED = [403, 404, 405];
/** How many polls do without the request then: about an hour. */
const POLLS_WITHOUT = 12;

/** Undefined for a part that has to be asked for. */
type CurrentTags = Partial<Record<keyof UpdateTags, CurrentTag | undefined>>;

export interface UpdatePollParts {
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  /** Whether both policies and indicators are known. Otherwise the tags of both have nothing to be compared with. */
  readonly areKnown: () => boolean;
  /** Asks the service, unless what is known has the current tag. */
  readonly refreshPolicies: (current: CurrentTag | undefined) => Promise<unknown>;
  readonly refreshIndicators: (current: CurrentTag | undefined) => Promise<unknown>;
}

/**
 * Keeps policies and indicators up to date, with a single request while they stay the same: the service names the tags
 * that both have now, and what has another tag is fetched. A service that does not offer this is asked for both.
 */
export class UpdatePoll {
  readonly #parts: UpdatePollParts;
  #last: { readonly tags: UpdateTags; readonly etag: string | undefined } | undefined;
  #pollsWithout = 0;

  constructor(parts: UpdatePollParts) {
    this.#parts = parts;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { areKnown, refreshPolicies, refreshIndicators } = this.#parts;
    const current = areKnown() ? await this.#findCurrent(signal) : {};
    if (current === undefined) return;
    await Promise.all([refreshPolicies(current.policies), refreshIndicators(current.indicators)]);
  }

  /** Undefined when the service did not answer; asking for each part would not help then. */
  async #findCurrent(signal: AbortSignal): Promise<CurrentTags | undefined> {
    const { transport, serviceClock } = this.#parts;
    if (transport.fetchUpdates === undefined) return {};
    if (this.#pollsWithout > 0) {
      this.#pollsWithout -= 1;
      return {};
    }
    const outcome = await transport.fetchUpdates(this.#last?.etag, signal);
    serviceClock.note(outcome);
    if (outcome.kind === 'refused' && NOT_OFFERED.includes(outcome.status)) {
      this.#pollsWithout = POLLS_WITHOUT;
      return {};
    }
    if (outcome.kind !== 'answered') return undefined;
    const { body, serviceTimeMs } = outcome;
    if (body.kind === 'changed') this.#last = body;
    const { policies, indicators } = this.#last?.tags ?? {};
    return {
      policies: policies === undefined ? undefined : { etag: policies, serviceTimeMs },
      indicators: indicators === undefined ? undefined : { etag: indicators, serviceTimeMs },
    };
  }
}
