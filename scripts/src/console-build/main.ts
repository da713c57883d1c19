import { resolve } from 'node:path';
import { buildConsoleIfStale } from './build-if-stale.ts';

await buildConsoleIfStale(resolve(import.meta.dirname, '../../..'));
