import { describe, expect, test } from 'vitest';
import { mintCredential } from './crypto/credentials.ts';
import { Secret } from './crypto/secret.ts';
import { createLogger } from './logger.ts';

function capture(level: 'info' | 'debug' | 'silent' = 'info') {
  const lines: string[] = [];
  const logger = createLogger({ level, destination: { write: (line) => void lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') };
}

test('a line is one JSON object with time and level in words, and nothing else', () => {
  const { logger, lines, last } = capture();
  logger.warn({ route: '/events' }, 'slow');
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(last()).toEqual({ level: 'warn', time: expect.any(String), route: '/events', msg: 'slow' });
  expect(new Date(last().time).toISOString()).toBe(last().time);
});

test('lines below the level are not written', () => {
  const { logger, lines } = capture('silent');
  logger.fatal('x');
  const { logger: info, lines: infoLines } = capture();
  info.debug('x');
  expect([...lines, ...infoLines]).toEqual([]);
});

test('a line about an error of PostgreSQL has no values of rows', () => {
  const { logger, lines, last } = capture();
  const error = Object.assign(new Error('null value in column "name" violates not-null constraint'), {
    code: '23502',
    detail: 'Failing row contains (anna@example.com, null).',
    where: "COPY accounts, line 1: 'anna@example.com'",
  });
  for (const err of [error, new AggregateError([error], 'two failures')]) {
    logger.error({ err }, 'page failed');
    expect(lines.at(-1)).not.toContain('anna');
    expect(last().err.stack).toContain('logger.test.ts');
  }
  logger.error({ err: error }, 'page failed');
  expect(last().err).toMatchObject({ code: '23502', message: error.message });
});

describe('a credential never reaches a line', () => {
  const credential = mintCredential('live').reveal();
  const headers = {
    authorization: 'Basic b3BlbjpzZXNhbWU=',
    'x-api-key': 'open-sesame',
    cookie: 'id=open-sesame',
  };

  test.each([
    ['a URL', { url: `/events?token=${credential}` }],
    ['an encoded URL', { req: { url: `/events?token=${credential.replaceAll('_', '%5F')}` } }],
    ['an error', { err: new Error(`refused ${credential}`, { cause: new Error(credential) }) }],
    ['headers', { headers: { ...headers, 'x-other': credential } }],
    ["a request's headers", { req: { headers } }],
    ['headers on their own', headers],
    ['a secret', { secret: new Secret('open-sesame'), deep: { secret: new Secret('open-sesame') } }],
  ])('from %s', (_, fields) => {
    const { logger, lines, last } = capture();
    logger.info(fields, `with ${credential}`);
    logger.child(fields).error('again');
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toMatch(/sesame|b3Blbj/);
    expect(lines.join()).not.toContain(credential.slice(9));
    expect(last().msg).toBe('again');
  });
});
