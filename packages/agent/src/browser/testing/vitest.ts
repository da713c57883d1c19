import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import * as chai from 'chai';

/*
 * In the place of vitest, in a page: runs the tests of a bundle one after the other, with the assertions of vitest.
 */

/** The result of a test; `error` is undefined when it passed. */
interface TestResult {
  readonly name: string;
  readonly error: string | undefined;
}

type Run = (...values: never[]) => unknown;
type Rows = readonly unknown[];

const POLL_MS = 20;
const POLL_LIMIT_MS = 30_000;

const tests: { readonly name: string; readonly run: () => unknown }[] = [];
const cleanups: (() => unknown)[] = [];
let suite = '';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = Object.assign((value: unknown) => chai.expect(value), chai.expect, {
  poll: (read: () => unknown) =>
    new Proxy({} as Record<string, (...expected: unknown[]) => Promise<void>>, {
      get:
        (_, matcher: string) =>
        (...expected: unknown[]) =>
          poll(read, matcher, expected),
    }),
});

async function poll(read: () => unknown, matcher: string, expected: readonly unknown[]): Promise<void> {
  for (const startedAt = performance.now(); ; ) {
    try {
      const assertion = chai.expect(await read()) as unknown as Record<
        string,
        (...values: unknown[]) => void
      >;
      assertion[matcher]?.(...expected);
      return;
    } catch (error) {
      if (performance.now() - startedAt > POLL_LIMIT_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

export function describe(name: string, define: () => void): void {
  const outer = suite;
  suite = `${outer}${name} > `;
  define();
  suite = outer;
}

export function test(name: string, run: Run): void {
  tests.push({ name: suite + name, run: run as () => unknown });
}

test.each = (rows: Rows) => (name: string, run: Run) => {
  for (const row of rows) {
    const values = (Array.isArray(row) ? row : [row]) as never[];
    test(`${name} ${JSON.stringify(row)}`, () => run(...values));
  }
};

export function onTestFinished(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Runs all tests of the bundle. */
async function runTests(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const { name, run } of tests) {
    let error: string | undefined;
    try {
      await run();
    } catch (cause) {
      error = String((cause as Error).stack ?? cause);
    }
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    results.push({ name, error });
  }
  return results;
}

Object.assign(globalThis, { runTests });
