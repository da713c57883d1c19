import { join } from 'node:path';
import { useChromium } from '@tps/testing/browser';
import { useFixture } from '@tps/testing/fixture';
import type { Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { AGENT, bundleForBrowser, serveBundle } from './bundle-server.ts';

/** The tests of the agent that need only its ports, and no server. */
const TESTS = [
  'concurrency/wake-signal',
  'policy/policy-list',
  'ports/keys',
  'ports/storage',
  'recording/to-detection',
  'store/escaped-names',
  'store/event-store',
  'store/journal',
  'store/killed-store',
  'store/nonce',
  'upload/follow-up',
  'upload/seal',
  'upload/stampede',
];

/** An append to IndexedDB takes longer than the millisecond in which records share a note. */
const ON_FAST_DISKS = 'records that follow each other share one note, of the newest';

interface TestResult {
  readonly name: string;
  readonly error?: string;
}

/** Runs the tests on IndexedDB and Web Crypto, by a small runner with the assertions of vitest. */
const inBrowser: Plugin = {
  name: 'in-browser',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^vitest$/ }, () => ({ path: join(AGENT, 'browser/testing/vitest.ts') }));
    onResolve({ filter: /\/store-ground\.ts$/ }, () => ({
      path: join(AGENT, 'browser/testing/store-ground.ts'),
    }));
  },
};

const chromium = useChromium();
const web = useFixture(
  async () => {
    const entry = TESTS.map((name) => `import './${name}.test.ts';`).join('\n');
    return serveBundle(
      await bundleForBrowser(entry, { plugins: [inBrowser], minify: false, ignoreAnnotations: true }),
    );
  },
  { close: ({ close }) => close() },
);

test("the agent's own tests pass in Chromium, on IndexedDB and Web Crypto", async () => {
  const page = await (await chromium.newContext()).newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(web.origin);
  await page.waitForFunction('globalThis.runTests !== undefined');
  const all = (await page.evaluate('runTests()')) as TestResult[];
  const results = all.filter(({ name }) => name !== ON_FAST_DISKS);
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(results.length).toBeGreaterThan(80);
  expect(errors).toEqual([]);
  process.stdout.write(`${results.length} tests of the agent passed in Chromium\n`);
});
