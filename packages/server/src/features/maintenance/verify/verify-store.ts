import {
  type InspectedStore,
  inspectSqlite,
  inspectStore,
  readSchemaState,
} from '../../../database/index.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';
import { auditHeadStore } from '../../audit/index.ts';
import { type ChainPoint, type Checkpoint, ExpectedPoints } from './checkpoint.ts';
import * as feedCheckReadModel from './feed-check-read-model.ts';
import { FindingCollector, type Findings } from './finding.ts';
import { type Removals, UNRECORDED } from './recorded-removals.ts';
import { verifyFeed } from './verify-feed.ts';
import { verifyLogged } from './verify-logged.ts';
import {
  verifyArtifacts,
  verifyDeliveries,
  verifyJobs,
  verifyScans,
  verifySteps,
  verifyTraces,
} from './verify-references.ts';
import { verifyWorld } from './verify-world.ts';

/** The migration since which audit entries form a chain. */
const CHAINED_SINCE = '0011-chain-audit-entries';

/** The migration since which events can be erased on request. */
const ERASED_SINCE = '0025-create-data-requests';

/** How often derived rows are compared with a log that changes meanwhile. */
const ATTEMPTS = 3;

/** What is compared, in this order. */
export const KINDS = [
  'events',
  'audit entries',
  'tokens',
  'devices',
  'policies',
  'webhooks',
  'erased events',
  'events and what they led to',
  'threats',
  'alerts',
  'incidents',
  'members of incidents',
  'timeline entries',
  'deliveries',
  'scans',
  'jobs',
  'runs',
  'steps',
  'artifacts',
] as const;
type Kind = (typeof KINDS)[number];

/** The contents of a store and its problems. */
export interface Verification {
  /** Descriptions; empty if the store is sound. */
  readonly problems: readonly string[];
  readonly tenants: number;
  readonly events: number;
  /** By kind: how many rows were compared, and how many could not be, by the reason. */
  readonly checks: Readonly<Partial<Record<Kind, Omit<Findings, 'problems'>>>>;
  /** The ends of all chains. Only a copy of them outside the store shows that a whole chain was rewritten. */
  readonly checkpoints: readonly Checkpoint[];
}

export interface VerifyOptions {
  readonly clock?: Clock;
  /** Checkpoints of an earlier verification that the chains must still contain. */
  readonly expected?: readonly Checkpoint[];
  /** Leaves out what is derived from events or refers to them: about half of the time. */
  readonly isQuick?: boolean;
  /** Called after each tenant with the number of tenants and events so far. */
  readonly onProgress?: (tenants: number, events: number) => void;
}

/** Verifies the store of a URL, also while the service runs. @throws Error if it cannot be opened */
export async function verifyStore(url: string, options: VerifyOptions = {}): Promise<Verification> {
  return verifyAndClose(inspectStore(url), options);
}

/** Verifies a file, such as a backup. @throws Error if it cannot be opened */
export async function verifyFile(path: string, options: VerifyOptions = {}): Promise<Verification> {
  return verifyAndClose(inspectSqlite(path), options);
}

async function verifyAndClose(store: InspectedStore, options: VerifyOptions): Promise<Verification> {
  try {
    return await verify(store, options);
  } finally {
    await store.close();
  }
}

async function verify(store: InspectedStore, options: VerifyOptions): Promise<Verification> {
  const nothing = { tenants: 0, events: 0, checks: {}, checkpoints: [] };
  const damage = store.findDamage();
  // A damaged file cannot be read to its end.
  if (damage.length > 0) return { ...nothing, problems: damage };
  const schema = await readSchemaState(store.read);
  if (schema === undefined) return { ...nothing, problems: ['it is not a store of this service'] };
  if (schema.unknown.length > 0) {
    const problem = `it was migrated by a newer version of the service (${schema.unknown.join(', ')})`;
    return { ...nothing, problems: [problem] };
  }
  const isChained = !schema.pending.includes(CHAINED_SINCE);
  const mayBeErased = !schema.pending.includes(ERASED_SINCE);
  return new StoreVerification(store, { ...options, isChained, mayBeErased }).run();
}

/** Verifies tenant by tenant and adds up the findings. */
class StoreVerification {
  readonly #store: InspectedStore;
  readonly #options: VerifyOptions & { readonly isChained: boolean; readonly mayBeErased: boolean };
  readonly #problems: string[] = [];
  readonly #checks: Partial<Record<Kind, Findings>> = {};
  readonly #checkpoints: Checkpoint[] = [];

  constructor(store: InspectedStore, options: VerifyOptions & { isChained: boolean; mayBeErased: boolean }) {
    this.#store = store;
    this.#options = options;
  }

  async run(): Promise<Verification> {
    const { read } = this.#store;
    const { isChained, expected = [], onProgress } = this.#options;
    if (isChained)
      this.#keep({ tenantId: NO_TENANT, feed: undefined, audit: (await this.#audit(NO_TENANT)).end });
    let done = 0;
    let tenantId = await feedCheckReadModel.findNextTenant(read, '', { isChained });
    while (tenantId !== undefined && this.#problems.length < FindingCollector.MAX_PROBLEMS) {
      await this.#tenant(tenantId);
      done += 1;
      onProgress?.(done, this.#checks.events?.checked ?? 0);
      tenantId = await feedCheckReadModel.findNextTenant(read, tenantId, { isChained });
    }
    const seen = new Set(this.#checkpoints.map((checkpoint) => checkpoint.tenantId));
    for (const { tenantId: missing } of expected.filter((each) => !seen.has(each.tenantId)))
      this.#problems.push(`${missing} of the checkpoint has neither events nor audit entries`);
    return {
      problems: this.#problems.slice(0, FindingCollector.MAX_PROBLEMS),
      tenants: await feedCheckReadModel.countTenants(read),
      events: this.#checks.events?.checked ?? 0,
      checks: this.#checks,
      checkpoints: this.#checkpoints,
    };
  }

  async #tenant(tenantId: TenantId): Promise<void> {
    const { read } = this.#store;
    const { clock = systemClock, isChained, mayBeErased } = this.#options;
    const expected = this.#expected(tenantId, 'feed');
    const feed = await verifyFeed(read, tenantId, { clock, expected, mayBeErased });
    const problems = feed.problem === undefined ? [] : [`feed of ${tenantId}: ${feed.problem}`];
    this.#add('events', { checked: feed.events, skipped: uncompared(expected), problems });
    if (await feedCheckReadModel.lacksRecord(read, tenantId))
      this.#problems.push(`tenant ${tenantId} has data, but its record is missing`);
    // A tenant that is being deleted loses its rows table by table.
    if (await feedCheckReadModel.isBeingRemoved(read, tenantId, clock.now())) return;
    const end = feed.end?.position ?? 0;
    // Counted before the log is read: what retention removes meanwhile is in the log.
    const missing = await feedCheckReadModel.countMissingFirst(read, tenantId, { end, mayBeErased });
    const log = isChained ? await this.#audit(tenantId) : undefined;
    const purged = log?.removals.purgedEvents ?? missing;
    if (feed.problem === undefined && missing > purged)
      this.#problems.push(
        `feed of ${tenantId}: ${missing} events are missing at its beginning, but retention has removed ${purged}`,
      );
    this.#keep({ tenantId, feed: feed.end, audit: log?.end });
    // The rest is compared with the events: it would repeat what is wrong with them.
    if (feed.problem !== undefined || this.#options.isQuick === true) return;
    for (const [kind, findings] of await this.#world(tenantId, log)) this.#add(kind, findings);
    this.#add('deliveries', await verifyDeliveries(read, tenantId));
    this.#add('scans', await verifyScans(read, tenantId));
    this.#add('jobs', await verifyJobs(read, tenantId));
    this.#add('runs', await verifyTraces(read, tenantId));
    this.#add('steps', await verifySteps(read, tenantId));
    this.#add('artifacts', await verifyArtifacts(read, tenantId));
  }

  /** Compares again if the service has removed rows meanwhile: the log says why they are missing. */
  async #world(tenantId: TenantId, log: { removals: Removals; end: ChainPoint | undefined } | undefined) {
    const { read } = this.#store;
    const { mayBeErased } = this.#options;
    let known = log;
    for (let attempt = 1; ; attempt += 1) {
      const world = await verifyWorld(read, tenantId, known?.removals ?? UNRECORDED);
      const isSound = world.every(([, { problems }]) => problems.length === 0);
      if (isSound || known === undefined || attempt === ATTEMPTS) return world;
      const after = await auditHeadStore.read(read, tenantId);
      if (after?.position === known.end?.position) return world;
      const { removals, audit } = await verifyLogged(read, tenantId, {
        expected: new ExpectedPoints(),
        mayBeErased,
      });
      known = { removals, end: audit.end };
    }
  }

  async #audit(tenantId: string) {
    const expected = this.#expected(tenantId, 'audit');
    const { mayBeErased } = this.#options;
    const settings = { expected, mayBeErased };
    const log = await verifyLogged(this.#store.read, tenantId, settings);
    const { audit, removals } = log;
    const name = tenantId === NO_TENANT ? 'the operator' : tenantId;
    const named = (findings: Findings): Findings => ({
      ...findings,
      problems: findings.problems.map((problem) => `audit log of ${name}: ${problem}`),
    });
    this.#add('audit entries', named(audit.findings));
    this.#add('audit entries', { checked: 0, skipped: uncompared(expected), problems: [] });
    for (const kind of ['tokens', 'devices', 'policies', 'webhooks'] as const)
      this.#add(kind, named(log[kind]));
    if (log.erased) this.#add('erased events', named(log.erased));
    return { end: audit.end, removals };
  }

  #expected(tenantId: string, chain: 'feed' | 'audit'): ExpectedPoints {
    const checkpoints = (this.#options.expected ?? []).filter((each) => each.tenantId === tenantId);
    return new ExpectedPoints(checkpoints.flatMap((each) => each[chain] ?? []));
  }

  #keep(checkpoint: Checkpoint): void {
    if (checkpoint.feed || checkpoint.audit) this.#checkpoints.push(checkpoint);
  }

  #add(kind: Kind, { checked, skipped, problems }: Findings): void {
    const before = this.#checks[kind] ?? { checked: 0, skipped: {}, problems: [] };
    const reasons = new Set([...Object.keys(before.skipped), ...Object.keys(skipped)]);
    this.#checks[kind] = {
      checked: before.checked + checked,
      skipped: Object.fromEntries(
        [...reasons].map((reason) => [reason, (before.skipped[reason] ?? 0) + (skipped[reason] ?? 0)]),
      ),
      problems: [],
    };
    this.#problems.push(...problems);
  }
}

function uncompared({ uncompared: count }: ExpectedPoints): Findings['skipped'] {
  return count === 0 ? {} : { 'points of the checkpoint, which are not kept': count };
}
