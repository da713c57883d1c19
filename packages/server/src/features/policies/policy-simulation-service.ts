import {
  CHANGED_EVENT_LIMIT,
  type Event,
  type NewPolicySimulation,
  type Policy,
  type PolicySimulation,
  SIMULATED_EVENT_LIMIT,
} from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { MAX_POLICIES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { parseTimestamp, toTimestamp } from '../../platform/time.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { feedHeadStore, feedStore } from '../feed/index.ts';
import { changePolicy, newPolicy, type PolicyRecord, toPolicy } from './policy.ts';
import { type PolicyComparison, SimulationTally } from './policy-simulation.ts';
import * as policyStore from './policy-store.ts';

/** Positions per query: their events are parsed in turns with the work of other tenants. */
const POSITIONS_PER_READ = 500;
const SIMULATED_ID = 'pol_simulated';

/** Simulates policies on stored events. Reads only. */
export class PolicySimulationService {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;
  readonly #turns: FairTurns;

  constructor({ database, clock, turns }: { database: RequestDatabase; clock: Clock; turns: FairTurns }) {
    this.#database = database;
    this.#clock = clock;
    this.#turns = turns;
  }

  /** @throws ServiceError `missing_field`, `invalid_field`, `policy_id_conflict`, `not_found` */
  async simulate(
    tenantId: TenantId,
    wanted: NewPolicySimulation,
    { withEvents }: { withEvents: boolean },
  ): Promise<PolicySimulation> {
    const { read } = this.#database;
    const comparison = await this.#compare(tenantId, wanted);
    const range = await findRange(read, tenantId, wanted);
    const tally = new SimulationTally(comparison, withEvents ? CHANGED_EVENT_LIMIT : 0);
    for (let until = range.until; until > range.after; until -= POSITIONS_PER_READ) {
      const after = Math.max(range.after, until - POSITIONS_PER_READ);
      const bodies = await feedStore.listBodiesOf(read, tenantId, {
        span: { after, until },
        categories: comparison.categories,
      });
      await this.#turns.runEach(tenantId, bodies, (body) => tally.add(readJson(body) as Event));
    }
    const { events, ...counts } = tally.counts;
    return {
      read: range.until - range.after,
      complete: range.complete,
      oldest_received_at: await findArrival(read, tenantId, range),
      ...counts,
      ...(withEvents ? { events: [...events] } : {}),
    };
  }

  /** Lists the tenant's policies without and with the simulated one. */
  async #compare(tenantId: TenantId, wanted: NewPolicySimulation): Promise<PolicyComparison> {
    const { policy, policy_id: policyId, change } = wanted;
    const { read } = this.#database;
    const records = await policyStore.list(read, tenantId, { after: undefined, limit: MAX_POLICIES + 1 });
    const before = records.map((record) => toPolicy(record, tenantId));
    if (policy !== undefined && policyId === undefined && change === undefined) {
      const id = policy.policy_id ?? SIMULATED_ID;
      if (await policyStore.find(read, tenantId, id)) {
        throw new ServiceError('policy_id_conflict', 'policy.policy_id is already in use');
      }
      const added = toPolicy(newPolicy({ ...policy, policy_id: id }, this.#clock.now()), tenantId);
      return checked({ before, after: [...before, added], categories: added.threat_categories });
    }
    if (policy !== undefined || policyId === undefined || change === undefined) {
      throw new ServiceError('invalid_field', 'Give either policy, or policy_id and change');
    }
    const known = records.find((record) => record.policyId === policyId);
    if (!known) throw notFound('policy');
    return checked(
      replaceOne(before, known, toPolicy(changePolicy(known, change, this.#clock.now()), tenantId)),
    );
  }
}

function replaceOne(before: readonly Policy[], known: PolicyRecord, changed: Policy): PolicyComparison {
  const after = before.map((policy) => (policy.policy_id === known.policyId ? changed : policy));
  return {
    before,
    after,
    categories: [...new Set([...known.categories, ...changed.threat_categories])],
  };
}

/** Devices keep the policies that they have when a list is too long: a decision by all of them would be wrong. */
function checked(comparison: PolicyComparison): PolicyComparison {
  if (comparison.after.length <= MAX_POLICIES) return comparison;
  throw new ServiceError(
    'invalid_field',
    `policy: devices reject a list of more than ${MAX_POLICIES} policies`,
  );
}

interface Range extends feedStore.FeedSpan {
  readonly complete: boolean;
}

/** Finds the newest positions between two times of arrival, at most `limit` of them. */
async function findRange(
  read: ReadQueries,
  tenantId: TenantId,
  { received_since: since, received_until: until, limit = SIMULATED_EVENT_LIMIT }: NewPolicySimulation,
): Promise<Range> {
  const positionBefore = async (time: string) =>
    feedStore.findPositionBefore(read, tenantId, parseTimestamp(time) ?? 0);
  const first = await feedStore.findFirstPosition(read, tenantId);
  const { position: head } = await feedHeadStore.read(read, tenantId);
  if (first === undefined) return { after: head, until: head, complete: true };
  const newest = until === undefined ? head : Math.min(head, await positionBefore(until));
  const oldest = Math.max(first - 1, since === undefined ? 0 : await positionBefore(since));
  const from = Math.max(oldest, newest - limit);
  return { after: Math.min(from, newest), until: newest, complete: from <= oldest };
}

async function findArrival(
  read: ReadQueries,
  tenantId: TenantId,
  { after, until }: Range,
): Promise<string | null> {
  if (after === until) return null;
  const receivedAtMs = await feedStore.findArrivalAfter(read, tenantId, after);
  return receivedAtMs === undefined ? null : toTimestamp(receivedAtMs);
}
