import { operation, toOpenApi } from '@tps/contract';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import { TenantSlots } from '../../platform/concurrency/tenant-slots.ts';
import { PublicPaths } from '../../platform/http/public-paths.ts';
import { route } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { NO_TRACER } from '../../platform/tracing/tracer.ts';
import { mountRoute } from './mount-route.ts';

const TENANT = 'tnt_test' as TenantId;

/** A contract with an operation that ends, one that is only deprecated, and one that stays. */
const OPERATIONS = [
  toOperation('/ends', { since: '2027-01-31', sunset: '2028-02-01', instead: 'Use /stays.' }),
  toOperation('/deprecated', { since: '2027-01-31', instead: 'Use /stays.' }),
  toOperation('/stays'),
];

function toOperation(path: string, deprecated?: { since: string; sunset?: string; instead: string }) {
  return operation({
    operationId: `read${path.slice(1)}`,
    method: 'GET',
    path,
    tag: 'service',
    summary: 'Read an example',
    scope: null,
    ...(deprecated && { deprecated }),
    responses: { 200: { description: 'The example.', schema: Type.Object({}), example: {} } },
  });
}

async function read(path: string) {
  const app = Fastify();
  app.decorateRequest('caller', undefined);
  app.decorateRequest('rawBody', undefined);
  app.decorateRequest('rawMember', undefined);
  app.decorateRequest('span');
  app.addHook('onRequest', async (request) => {
    request.span = NO_TRACER.start('request', {});
    request.caller = { tokenId: 'tok_test', tenantId: TENANT, scopes: [], expiresAtMs: null };
  });
  for (const one of OPERATIONS) {
    const handle = async () => ({ status: 200 as const, body: {} });
    mountRoute(app, route(one, handle), {
      resolveTenant: async () => TENANT,
      turns: new FairTurns(),
      slots: new TenantSlots(),
      bodyLimits: { bodyBytes: 1, batchBodyBytes: 1, scanBodyBytes: 1 },
      paths: new PublicPaths('', []),
    });
  }
  const { statusCode, headers } = await app.inject({ method: 'GET', url: path });
  await app.close();
  return { status: statusCode, deprecation: headers.deprecation, sunset: headers.sunset };
}

describe('an operation that the contract calls deprecated', () => {
  test('responds with Deprecation, and with Sunset when its end is known', async () => {
    expect(await read('/ends')).toEqual({
      status: 200,
      deprecation: `@${Date.UTC(2027, 0, 31) / 1000}`,
      sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
    });
    expect(await read('/deprecated')).toMatchObject({ deprecation: '@1801353600', sunset: undefined });
    expect(await read('/stays')).toMatchObject({ status: 200, deprecation: undefined, sunset: undefined });
  });

  test('sends both headers with a refusal, too', async () => {
    expect(await read('/ends?unknown=1')).toMatchObject({
      status: expect.not.stringMatching('200'),
      deprecation: '@1801353600',
      sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
    });
  });

  test('is marked in the OpenAPI document, with its headers and what to use instead', () => {
    type ReadOperation = {
      deprecated?: true;
      description: string;
      responses: Record<string, { headers: object }>;
    };
    const { paths, components } = toOpenApi(OPERATIONS, '1.0.0') as {
      paths: Record<string, { get: ReadOperation }>;
      components: { headers: object };
    };
    const ends = paths['/ends']?.get;
    expect(ends?.deprecated).toBe(true);
    expect(ends?.description).toContain(
      'Deprecated since 2027-01-31. Use /stays. It may be removed from 2028-02-01 on.',
    );
    expect(Object.keys(ends?.responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset']),
    );
    expect(Object.keys(components.headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
    expect(paths['/stays']?.get.deprecated).toBeUndefined();
  });
});
