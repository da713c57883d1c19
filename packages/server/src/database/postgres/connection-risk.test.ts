import { expect, test } from 'vitest';
import { findConnectionRisk } from './connection-risk.ts';

const UNENCRYPTED = 'is not encrypted';
const UNVERIFIED = 'is not verified';

test.each([
  ['postgres://tps:hunter2@db.example/tps', UNENCRYPTED],
  ['postgresql://tps:hunter2@192.0.2.1:5433/tps?sslmode=disable', UNENCRYPTED],
  ['postgres://tps:hunter2@/tps?host=db.example', UNENCRYPTED],
  ['postgres://tps:hunter2@db.example/tps?sslmode=no-verify', UNVERIFIED],
  ['postgres://tps:hunter2@db.example/tps?uselibpqcompat=true&sslmode=require', UNVERIFIED],
])('%s gives a warning that names the solution and no password', (url, problem) => {
  const risk = findConnectionRisk(url);
  expect(risk).toContain(problem);
  expect(risk).toContain('sslmode=verify-full');
  expect(risk).not.toContain('hunter2');
});

test.each([
  'postgres://tps@db.example/tps?sslmode=verify-full',
  'postgres://tps@db.example/tps?ssl=true',
  'postgres://tps@127.0.0.1/tps',
  'postgres://tps@[::1]/tps',
  'postgres://tps@localhost/tps',
  'postgres://tps@/tps?host=/run/postgresql',
])('%s gives none', (url) => {
  expect(findConnectionRisk(url)).toBeUndefined();
});
