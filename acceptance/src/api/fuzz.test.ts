import { TRIAGE_WORKFLOW } from '@tps/contract';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, wrongValuesOf } from './fuzz-faults.ts';
import { arbitraryOf } from './fuzz-schema.ts';
import { type DocumentedOperation, documentedOperations, resolveSchema } from './openapi-document.ts';
import { anHourAgo, RECIPES, UNCALLED_URL } from './operation-requests.ts';
import { type PopulatedTenant, populateTenant, signAs } from './populated-tenant.ts';

/**
 * Requests of each kind to each operation. Fewer on the second store, because most are refused before the store is
 * used. `FUZZ_RUNS=2000` runs longer; `FUZZ_SEED` repeats a failed run.
 */
const soakRuns = process.env.TEST_STORE !== 'postgres' ? 30 : 10;
const numRuns = Number(process.env.FUZZ_RUNS ?? repetitions({ short: 8, soak: soakRuns }));
const seed = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };
const options = { numRuns, ...seed };
const timeoutMs = 30_000 + numRuns * 200;

const INVALID_FORM_CODES = ['invalid_json', 'missing_field', 'invalid_parameter'];
/** Messages for rules that a schema cannot express. */
const RULES_BEYOND_THE_SCHEMA =
  /expires_at must be in the future|expires_at must be at most|metadata|at least one|resolution|comment|either entry_id or webhook_id|either policy, or policy_id|valid_until must be later|issuer cannot be used|either ids or filter|cursor is allowed only with filter|versions must have|name of the tenant|role_map must have|role_claim must be/;

/** A text in place of the tenant or the device, which the second member is too, is compared before it is malformed. */
const NAMES_THE_SENDER = /^(?:tenant_id|device_id) is "|^a member occurs twice$/;

const service = useTestService({ env: WEBHOOK_ENV });
let subject: PopulatedTenant;

afterAll(() => {
  expect(service.log()).not.toContain('"level":"error"');
});

type Body = Record<string, unknown>;
type Query = Record<string, string | undefined>;

/** Sends a request with the subject's credential. The client throws unless the contract describes the answer. */
async function send(
  operation: DocumentedOperation,
  { id, query = {}, body }: { id: string; query?: Query; body?: string | undefined },
) {
  const path = operation.path.replace('{id}', id);
  const search = new URLSearchParams(JSON.parse(JSON.stringify(query))).toString();
  const answer = await service.client.send(operation.method, search === '' ? path : `${path}?${search}`, {
    credential: subject.tenant.credential,
    ...(body === undefined ? {} : { body, headers: await signAs(operation, { path, body, subject }) }),
  });
  expect(answer.status, answer.text).toBeLessThan(500);
  return answer;
}

function codeOf({ body }: { body: unknown }): string {
  return (Object(body) as { error?: { code?: string } }).error?.code ?? '';
}

/** Existing ids, unknown ids, and ids of other nouns. */
function arbitraryId({ operationId, parameters }: DocumentedOperation): fc.Arbitrary<string> {
  const parameter = parameters.find((one) => one.in === 'path');
  if (!parameter) return fc.constant('');
  const noun = RECIPES[operationId]?.id;
  const real = fc.constant(null).map(() => (noun === undefined ? '' : subject.ids[noun]));
  return fc.oneof({ weight: 4, arbitrary: real }, arbitraryOf(parameter.schema) as fc.Arbitrary<string>);
}

/** Unknown cursors are faults; type and value of an indicator to remove belong together. */
const UNTRIED: Readonly<Record<string, readonly string[]>> = { removeIndicators: ['type', 'value'] };

/** A query with valid parameters. */
function arbitraryQuery({ operationId, parameters }: DocumentedOperation): fc.Arbitrary<Query> {
  const untried = ['cursor', 'tenant_id', ...(UNTRIED[operationId] ?? [])];
  const valid = parameters.filter((one) => one.in === 'query' && !untried.includes(one.name));
  const values = valid.map(({ name, required, schema }) => {
    const real = fc.constant(null).map(() => RECIPES[operationId]?.query?.(subject)[name]);
    return [name, required ? real : arbitraryOf(schema).map(String)] as const;
  });
  const requiredKeys = valid.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(Object.fromEntries(values), { requiredKeys });
}

/**
 * A body that is valid by the schema and names the subject's own tenant and device. Corrections with a reason name its
 * event: with unknown events 0 to 5 of 40 events were stored, this way 11 to 17.
 */
function arbitraryBody({ operationId, bodySchema }: DocumentedOperation): fc.Arbitrary<Body | undefined> {
  if (!bodySchema) return fc.constant(undefined);
  return (arbitraryOf(bodySchema) as fc.Arbitrary<Body>).map((body) => aim(operationId, body));
}

function aim(operationId: string, body: Body): Body {
  const { tenant, ids, nextKey } = subject;
  const events = body.events as Body[] | undefined;
  return {
    ...body,
    ...('tenant_id' in body ? { tenant_id: tenant.tenantId } : {}),
    ...('public_key_b64' in body ? { public_key_b64: nextKey.publicKeyB64 } : {}),
    ...('url' in body ? { url: UNCALLED_URL } : {}),
    ...aimTimes(body),
    ...('change' in body ? aimBulk(operationId) : {}),
    ...AIMS[operationId]?.(body, subject),
    ...('corrects_event_id' in body && 'correction_reason' in body ? { corrects_event_id: ids.event } : {}),
    ...(events ? { events: events.map((event) => aim('submitEvent', event)) } : {}),
  };
}

/** What must fit the tenant, or what the schema alone cannot express. */
const AIMS: Readonly<Record<string, (body: Body, subject: PopulatedTenant) => Body>> = {
  submitEvent: ({ metadata }, { device }) => ({
    device_id: device.deviceId,
    ...(metadata ? { metadata: { ...metadata, tenant_id: undefined } } : {}),
  }),
  replayDeadLetter: aimReplay,
  importIndicators: aimImport,
  createJob: (_, { ids }) => ({ workflow_id: TRIAGE_WORKFLOW, input_refs: [ids.incident] }),
  reviewJob: aimReview,
  updateIncident: aimIncident,
  scanContent: aimScan,
  simulatePolicy: () => ({ policy_id: undefined, change: undefined }),
  requestDeletion: () => ({ name: 'other' }),
  createOAuthClient: () => ({ ...AS_CLIENT_OF_ITSELF, token_endpoint_auth_method: undefined }),
  updateOAuthClient: () => AS_CLIENT_OF_ITSELF,
  replaceSignOn: (_, { signOn }) => ({ ...signOn }),
  adoptHoldings: (_, { ids }) => ({ items: [{ kind: 'webhook', id: ids.webhook }] }),
  createNoticeChannel: () => ({ ...AS_SLACK_CHANNEL, kind: 'slack', url: UNCALLED_URL }),
  updateNoticeChannel: () => AS_SLACK_CHANNEL,
  createDataRequest: (_, { device }) => ({ kind: 'export', subject: { device_id: device.deviceId } }),
};

/** Most times are too long ago, past, or further ahead than is allowed. */
function aimTimes(body: Body): Body {
  return {
    ...('since' in body ? { since: anHourAgo() } : {}),
    ...('expires_at' in body ? { expires_at: new Date(Date.now() + 3_600_000).toISOString() } : {}),
  };
}

/** Random texts are not addresses or keys, and most combinations of grants, addresses and keys are refused. */
const AS_CLIENT_OF_ITSELF = {
  grant_types: ['client_credentials'],
  redirect_uris: undefined,
  uri: undefined,
  jwks: undefined,
  refresh_grace_s: undefined,
};

/** Each kind has its own members, the tested service sends no mail, and random text is rarely a time zone. */
const AS_SLACK_CHANNEL = { address: undefined, secret: undefined, quiet_hours: undefined };

/** Names either the subject's webhook or its dead letter: both together are refused, and most bodies had both. */
function aimReplay(body: Body): Body {
  const { dead_letter, webhook } = subject.ids;
  const isOfWebhook = 'webhook_id' in body && !('entry_id' in body);
  return isOfWebhook ? { webhook_id: webhook } : { entry_id: dead_letter, webhook_id: undefined };
}

/** Random filters match nothing, and ids and a filter together are refused. */
function aimBulk(operationId: string): Body {
  const { incident, dead_letter, device, job } = subject.ids;
  const ids: Record<string, unknown> = {
    changeIncidents: incident,
    changeDeadLetters: dead_letter,
    revokeDevices: device,
    changeJobs: job,
  };
  const one = ids[operationId];
  return one === undefined ? {} : { ids: [one], filter: undefined, cursor: undefined, versions: undefined };
}

/** Random text is rarely a domain, and only an open import can be continued. */
function aimImport({ indicators }: Body): Body {
  const kind = { type: 'domain', value: 'parcel-desk.example', threat_type: 'delivery_scam' };
  const always = { valid_from: undefined, valid_until: undefined };
  const aimed = (indicators as Body[]).map((one) => ({ ...one, ...kind, ...always }));
  return { import_id: undefined, indicators: aimed };
}

/** Only the decision to amend has an amendment. */
function aimReview({ decision, amendment = {} }: Body): Body {
  return { amendment: decision === 'amend' ? amendment : undefined };
}

/** Few changes of status are possible from each status, and none from the last one. */
function aimIncident(body: Body): Body {
  return 'tags' in body ? { status: undefined, resolution: undefined } : {};
}

/** Each type has its own member for content. */
function aimScan({ type, content = 'x', app = { package_name: 'a.b' } }: Body): Body {
  const none = { content: undefined, content_b64: undefined, app: undefined };
  if (type === 'app') return { ...none, app };
  return type === 'file' || type === 'media' ? { ...none, content_b64: 'eA==' } : { ...none, content };
}

/** Reading operations share one tenant. */
let shared: Promise<PopulatedTenant> | undefined;

function tenantFor({ method }: DocumentedOperation): Promise<PopulatedTenant> {
  if (method !== 'GET') return populateTenant(service);
  shared ??= populateTenant(service);
  return shared;
}

// A fault in the form is rejected before the store is read: one store is enough.
const ON_ONE_STORE = process.env.TEST_STORE !== 'postgres';

const cases = documentedOperations.map((operation) => ({ name: operation.operationId, operation }));

describe.each(cases)('$name', ({ operation }) => {
  const noun = RECIPES[operation.operationId]?.id;
  const hasQuery = operation.parameters.some((one) => one.in === 'query');

  beforeAll(async () => {
    subject = await tenantFor(operation);
  });

  test.runIf(ON_ONE_STORE && operation.bodySchema)(
    'answers a body with a single fault with a client error',
    async () => {
      const faults = faultsOf(operation.bodySchema ?? {});
      const request = fc.record({
        fault: fc.constantFrom(...faults),
        body: fc.constant(null).chain(() => arbitraryBody(operation)),
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ fault, body }) => {
          const id = noun === undefined ? '' : subject.ids[noun];
          const answer = await send(operation, { id, body: fault.apply(body ?? {}) });
          const allowed = NAMES_THE_SENDER.test(fault.what) ? [400, 401, 403] : [400];
          expect(allowed, `${fault.what}: ${answer.text}`).toContain(answer.status);
        }),
        options,
      );
    },
    timeoutMs,
  );

  test.runIf(ON_ONE_STORE && hasQuery)(
    'answers a query with a single fault with a client error',
    async () => {
      const request = fc.record({
        fault: fc.constantFrom(...faultyQueries(operation)),
        query: arbitraryQuery(operation),
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ fault, query }) => {
          const id = noun === undefined ? '' : subject.ids[noun];
          const answer = await send(operation, { id, query: { ...query, ...fault } });
          expect(answer.status, `${JSON.stringify(fault)}: ${answer.text}`).toBe(400);
        }),
        options,
      );
    },
    timeoutMs,
  );

  // Last, because it changes the tenant.
  test(
    'answers valid requests as documented, and never reports an invalid form',
    async () => {
      const request = fc.record({
        id: arbitraryId(operation),
        query: arbitraryQuery(operation),
        body: fc.constant(null).chain(() => arbitraryBody(operation)),
      });
      let done = 0;
      await fc.assert(
        fc.asyncProperty(request, async ({ id, query, body }) => {
          const text = body === undefined ? undefined : JSON.stringify(body);
          const answer = await send(operation, { id, query, body: text });
          const isBeyondSchema = /hours; at most/.test(answer.text);
          if (!isBeyondSchema) expect(INVALID_FORM_CODES, answer.text).not.toContain(codeOf(answer));
          if (codeOf(answer) === 'invalid_field') expect(answer.text).toMatch(RULES_BEYOND_THE_SCHEMA);
          if (answer.status < 400) done += 1;
        }),
        options,
      );
      expect(done, 'requests that were more than refused').toBeGreaterThan(0);
    },
    timeoutMs,
  );
});

/** Queries with one parameter that does not fit its schema. */
function faultyQueries(operation: DocumentedOperation): Record<string, string>[] {
  return operation.parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema }) =>
      wrongValuesOf(resolveSchema(schema))
        .filter((value) => typeof value !== 'string' || value.length < 5000)
        .map((value) => ({ [name]: typeof value === 'string' ? value : JSON.stringify(value) })),
    )
    .filter((query) => !fits(operation, query));
}

/** Everything in a query is text. Only faults of texts count. */
function fits({ parameters }: DocumentedOperation, query: Query): boolean {
  return Object.entries(query).some(([name, text]) => {
    const { type, maximum, minimum, pattern } = resolveSchema(
      parameters.find((one) => one.name === name)?.schema ?? {},
    );
    // In a query `null` and `5` may be names.
    if (typeof pattern === 'string') return new RegExp(pattern).test(text ?? '');
    if (type !== 'integer') return false;
    const number = Number(text);
    return Number.isInteger(number) && number >= Number(minimum) && number <= Number(maximum);
  });
}
