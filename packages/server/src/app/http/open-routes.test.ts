import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { operations } from '@tps/contract';
import { useTestService } from '@tps/testing/service';
import fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../database/index.ts';
import { PublicPaths } from '../../platform/http/public-paths.ts';
import { openRoutes } from './open-routes.ts';

const service = useTestService();

const repository = new URL('../../../../../', import.meta.url);

describe('GET /openapi.json', () => {
  test('is the committed document, with the address of this service', async () => {
    const served = (await service.client.send('GET', '/openapi.json')).body as { servers: { url: string }[] };
    const committed = JSON.parse(readFileSync(new URL('docs/openapi.json', repository), 'utf8'));
    expect(served.servers).toHaveLength(1);
    expect({ ...served, servers: committed.servers }).toEqual(committed);
  });

  test('lists exactly the operations that are served', async () => {
    const { paths } = (await service.client.send('GET', '/openapi.json')).body as {
      paths: Record<string, Record<string, unknown>>;
    };
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(named.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
    for (const { method, path, scope } of operations) {
      const answer = await service.client.send(method, path.replace('{id}', 'some-id'));
      expect(answer.status, `${method} ${path}`).toBe(scope === null ? answer.status : 401);
      expect([404, 405, 500], `${method} ${path}`).not.toContain(answer.status);
    }
  });
});

describe('the documentation', () => {
  const read = async (path: string) => {
    const response = await fetch(`${service.baseUrl}${path}`);
    return { response, text: await response.text() };
  };

  test('is served at /docs', async () => {
    const { response, text } = await read('/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(text).toContain('/openapi.json');
  });

  test('loads nothing from other hosts', async () => {
    const { text } = await read('/docs');
    const loaded = [...text.matchAll(/(?:src|href)\s*=\s*["']([^"']*)["']/g)].map(([, url = '']) => url);
    expect(loaded.length).toBeGreaterThan(0);
    for (const url of loaded) {
      const { origin } = new URL(url, `${service.baseUrl}/docs/`);
      expect(origin, url).toBe(service.baseUrl);
    }
    expect(text).not.toMatch(/url\(\s*["']?https?:/);
  });

  test('has a policy that forbids content from other hosts', async () => {
    const { response, text } = await read('/docs');
    const policy = response.headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources] as const;
      }),
    );
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(directives.get('script-src')).not.toContain("'unsafe-inline'");

    const inline = [...text.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
    expect(inline.length).toBeGreaterThan(0);
    for (const [, script = ''] of inline) {
      const digest = createHash('sha256').update(script).digest('base64');
      expect(directives.get('script-src')).toContain(`'sha256-${digest}'`);
    }
  });

  test('has its own title and icon, and no button of the library that leads elsewhere', async () => {
    const { text } = await read('/docs');
    expect(/<title>([^<]*)<\/title>/.exec(text)?.[1]).toBe('Threat Protection Service API');
    for (const setting of [
      '"favicon":"data:image/svg+xml,',
      '"showDeveloperTools":"never"',
      '"hideClientButton":true',
      '"agent":{"disabled":true}',
      '"mcp":{"disabled":true}',
    ]) {
      expect(text.replaceAll(/\s+/g, '')).toContain(setting);
    }
  });

  test('serves its own script', async () => {
    const { text } = await read('/docs');
    const script = /<script[^>]*\bsrc=["']([^"']+)["']/.exec(text)?.[1] ?? '';
    const { response } = await read(new URL(script, `${service.baseUrl}/docs/`).pathname);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('javascript');
  });
});

test('health and readiness report their state and nothing else', async () => {
  expect((await service.client.send('GET', '/healthz')).body).toEqual({ status: 'ok' });
  const ready = (await service.client.send('GET', '/readyz')).body;
  expect(ready).toEqual({ status: 'ready', components: { store: 'up', dispatcher: 'up', workflow: 'up' } });
});

test('readiness does not wait behind events that cannot be stored', async () => {
  let writes = 0;
  const assertWritable = async () => {
    writes += 1;
  };
  const routes = openRoutes({
    database: { ...service.service.database, assertWritable } satisfies Database,
    version: '1',
    baseUrl: service.baseUrl,
    paths: new PublicPaths('', []),
    consoleLocation: () => '/console',
    isStopping: () => false,
    isDispatching: () => true,
    isWorking: () => true,
    isAppending: () => false,
    isScanning: async () => true,
  });
  const app = fastify();
  onTestFinished(() => app.close());
  await app.register(routes);
  const answer = await app.inject('/readyz');
  expect(answer.json()).toMatchObject({ message: 'Events cannot be stored at the moment' });
  expect(writes).toBe(0);
});
