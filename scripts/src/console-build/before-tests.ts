import { resolve } from 'node:path';
import { buildConsoleIfStale } from './build-if-stale.ts';

/** Runs once before the tests that start the service: some of them load the console. */
export async function setup(): Promise<void> {
  await buildConsoleIfStale(resolve(import.meta.dirname, '../../..'));
}
