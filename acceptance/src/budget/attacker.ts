import { BATCH_LIMIT, type Event, IMPORT_LIMIT, TRIAGE_WORKFLOW } from '@tps/contract';
import type { TestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { type DocumentedOperation, documentedOperations } from '../api/openapi-document.ts';
import { RECIPES } from '../api/operation-requests.ts';
import { type PopulatedTenant, populateTenant, signAs } from '../api/populated-tenant.ts';
import type { RawRequest } from '../scan/raw-post.ts';

const BATCHES = 3;
const TOKENS = 150;
const ITEMS = 100;
const INDICATOR_LISTS = 5;
const LARGE_BATCHES = 6;
/** As many as a batch of 5 MB can have. */
const LARGE_EVENTS = 115;

/** A tenant with one registered device, every scope, and much of everything. */
export interface Attacker extends PopulatedTenant {
  /** Returns the correct request of an operation, with parts replaced. The request is signed if the operation requires it. */
  request(operationId: string, parts?: RequestParts): Promise<RawRequest>;
  /** Reads something with the credential of the tenant. */
  read(path: string): Promise<{ readonly body: unknown }>;
  /** As many threats and alerts as one job can take beside an incident. */
  readonly manyRefs: readonly string[];
  /** Resolves when no job is queued or running. */
  jobsDone(): Promise<void>;
}

export interface RequestParts {
  readonly query?: Readonly<Record<string, string>> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string;
  /** Replaces the body. Signed as the operation requires. */
  readonly body?: Buffer;
  /** False: signed for another body. */
  readonly isGenuine?: boolean;
}

/** Fills a tenant with as much as one device and a few requests per minute can make. */
export function createAttacker(service: TestService): Promise<Attacker> {
  return createFilled(service, fill);
}

/** Fills a tenant with events that are as large as possible. */
export function createHeavyAttacker(service: TestService): Promise<Attacker> {
  return createFilled(service, fillWithLargeEvents);
}

async function createFilled(
  service: TestService,
  fillTenant: (service: TestService, subject: PopulatedTenant) => Promise<void>,
): Promise<Attacker> {
  const subject = await populateTenant(service);
  const jobsDone = () => waitForJobs(service, subject);
  await fillTenant(service, subject);
  await jobsDone();
  const idsOf = async (path: string, member: string) => {
    const { body } = await service.client.send('GET', path, subject.tenant);
    return (body as { data: Record<string, string>[] }).data.map((item) => item[member] ?? '');
  };
  const threats = await idsOf('/threats?limit=25', 'threat_id');
  const alerts = await idsOf('/alerts?limit=24', 'alert_id');
  return {
    ...subject,
    read: (path) => service.client.send('GET', path, subject.tenant),
    manyRefs: [...threats, ...alerts],
    jobsDone,
    async request(operationId, parts = {}) {
      const operation = operationOf(operationId);
      const recipe = RECIPES[operationId];
      const path = operation.path.replace('{id}', parts.id ?? (recipe?.id ? subject.ids[recipe.id] : ''));
      const query =
        typeof parts.query === 'string'
          ? parts.query
          : new URLSearchParams({ ...recipe?.query?.(subject), ...parts.query }).toString();
      const body = parts.body ?? (recipe?.body && Buffer.from(JSON.stringify(recipe.body(subject))));
      const signature = body && (await signatureOf(operation, { path, body, subject, parts }));
      return {
        method: operation.method,
        path: query === '' ? path : `${path}?${query}`,
        headers: { ...signature, ...parts.headers },
        ...(body && { body }),
      };
    },
  };
}

function operationOf(operationId: string): DocumentedOperation {
  const operation = documentedOperations.find((one) => one.operationId === operationId);
  if (!operation) throw new Error(`${operationId} is not an operation`);
  return operation;
}

async function signatureOf(
  operation: DocumentedOperation,
  parts: { path: string; body: Buffer; subject: PopulatedTenant; parts: RequestParts },
): Promise<Record<string, string>> {
  const { path, body, subject } = parts;
  if (operation.signatureTag === 'tps-register') {
    // The signer reads the id of the device from the body, which need not be JSON here.
    const stand = JSON.stringify({ device_id: 'dev_attacker' });
    return signAs(operation, { path, body: body.length > 100_000 ? stand : body.toString(), subject });
  }
  const signed = parts.parts.isGenuine === false ? '{}' : body.toString();
  return signAs(operation, { path, body: signed, subject });
}

async function fill(service: TestService, subject: PopulatedTenant): Promise<void> {
  const { device, tenant } = subject;
  const { credential } = tenant;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const events = Array.from({ length: BATCH_LIMIT }, (_, index) =>
      device.event(richMembers(`${batch}`, index)),
    );
    await device.post({ events }, { path: '/events/batch' });
  }
  const create = (path: string, body: object) => service.client.send('POST', path, { credential, body });
  for (let token = 0; token < TOKENS; token += 1) {
    await create('/tokens', { name: 'x'.repeat(200), scopes: ['tokens:read'] });
  }
  for (let item = 0; item < ITEMS; item += 1) {
    await create('/policies', { name: 'x'.repeat(200), threat_categories: ['phishing'], action: 'warn' });
  }
  for (let list = 0; list < INDICATOR_LISTS; list += 1) {
    await create('/indicators', { source: `many-${list}`, indicators: manyIndicators(IMPORT_LIMIT) });
  }
  const references = Array.from({ length: 20 }, () => ({
    workflow_id: TRIAGE_WORKFLOW,
    input_refs: [subject.ids.incident],
  }));
  for (const reference of references) await create('/jobs', reference);
}

async function fillWithLargeEvents(_service: TestService, { device }: PopulatedTenant): Promise<void> {
  for (let batch = 0; batch < LARGE_BATCHES; batch += 1) {
    const events = Array.from({ length: LARGE_EVENTS }, (_, index) =>
      device.event(largeMembers(`${batch}-${index}`)),
    );
    const { status, text } = await device.post({ events }, { path: '/events/batch' });
    if (status !== 200) throw new Error(text);
  }
}

async function waitForJobs(service: TestService, { tenant }: PopulatedTenant): Promise<void> {
  const countOpen = async (status: string) => {
    const { body } = await service.client.send('GET', `/jobs?status=${status}&limit=1`, tenant);
    return (body as { data: unknown[] }).data.length;
  };
  await waitUntil(async () => (await countOpen('queued')) + (await countOpen('running')) === 0, 60_000);
}

/** An event with every member, most of which open an alert of their own in one large incident. */
export function richMembers(batch: string, index: number): Partial<Event> {
  return {
    severity: 'critical',
    description: `Call from Anna Example on +49 30 ${batch}${index}. `.repeat(20),
    indicators: Array.from({ length: 12 }, (_, at) => `sig:${batch}-${index}-${at}`.padEnd(90, 's')),
    metadata: withNote('x'.repeat(1_000)),
  };
}

/** An event of 41 kB, in one large incident. */
function largeMembers(name: string): Partial<Event> {
  return {
    severity: 'critical',
    description: `Call ${name}. `.padEnd(4_096, 'text '),
    correction_reason: 'x'.repeat(1_024),
    indicators: Array.from({ length: 64 }, (_, at) => `sig:${name}-${at}-`.padEnd(510, 's')),
    metadata: withNote('x'.repeat(4_000)),
  };
}

/** Metadata with a further member, which the contract permits. */
export function withNote(note: string): Event['metadata'] & object {
  return { agent_version: '1.0', ...{ note } };
}

export function manyIndicators(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'url',
    value: `https://host-${index}.example/${'p'.repeat(200)}`,
    category: 'phishing',
    threat_type: 'delivery_scam',
    confidence: 0.9,
    label: 'x'.repeat(120),
  }));
}
