import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SERVER = 'packages/server/src/';

/** A row of the tables of limits. */
interface Row {
  readonly limit: string;
  readonly value: string;
  readonly key: string;
  readonly why: string;
  readonly tests: string;
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
}).split('\n');
const sources = files
  .filter((file) => file.startsWith(SERVER) && file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file))
  .map((file) => ({
    file: file.slice(SERVER.length),
    // Without comments.
    text: readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, ''),
  }));

/** Reads the tables of the section, in which a cell has no `|`. */
function readRows(): Row[] {
  const page = readFileSync(join(ROOT, 'docs/security-model.md'), 'utf8');
  const [, section = ''] = /^## Limits and their keys$([\s\S]*?)^## /m.exec(page) ?? [];
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:limit |-)/.test(line))
    .map((line) => {
      const [limit = '', value = '', key = '', why = '', tests = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { limit, value, key, why, tests };
    });
}

/**
 * How code limits use: by a count under a key, by a queue, by places, or by a cache that forgets. The first group is the
 * name of the limit, `BUDGETS.…` for those of the login throttle. Bounds of a single request, file or job are not limits of
 * use.
 */
const CONSTRUCTS: readonly RegExp[] = [
  /\badmit\((?:[^()]|\([^()]*\))*,\s*([A-Z][A-Z0-9_]+)[\s,)]/g,
  /\blimit: ([A-Z][A-Z0-9_]+PER_MINUTE)\b/g,
  /\?\s*([A-Z0-9_]+PER_MINUTE)\b/g,
  /\bmaxQueue: ([A-Z][A-Z0-9_]+)/g,
  /\bnew TenantSlots\(([A-Z][A-Z0-9_]+)\)/g,
  /\bslots = ([A-Z][A-Z0-9_]+)/g,
  /\bnew FairQueue<[^>]+>\((?:\{ waiters: )?([A-Z][A-Z0-9_]+)/g,
  /\bnew LRUCache<[^(]*\(\{ max: ([A-Z][A-Z0-9_]+)/g,
  /\bmaxKeys \?\? ([A-Z][A-Z0-9_]+)/g,
  /\.size (?:<|>=?) ([A-Z][A-Z0-9_]+(?:\.\w+)?)/g,
  /\bthis\.#\w+(?:\.length)? (?:<|>=?) ([A-Z][A-Z0-9_]+(?:\.\w+)?)/g,
  /'(\w+_limit_reached|max_runs_exceeded|enrolment_exhausted)'/g,
  /'rate_limited'[\s\S]*?\b([A-Z][A-Z0-9]+_[A-Z0-9_]+)\b/g,
];

/** Found by a construct, but bounds of one thing: a file that the operator installs, a message, a body, a job, a round. */
const OF_ONE_THING = new Set([
  'features/guidance/load-guidance.ts MAX_CARD_BYTES',
  'features/triage/case/gather-inputs.ts MAX_MEMBERS',
  'features/triage/steps/collect-evidence.ts MAX_HISTORY_KEYS',
  'features/webhooks/dispatch/dispatcher.ts MAX_UNRECORDED',
  'features/webhooks/secrets/stored-secrets.ts MAX_NAMED',
  'database/postgres/postgres-driver.ts NAMED_STATEMENTS',
  'platform/http/large-member-body.ts MAX_BY_HAND_BYTES',
]);

function findLimits(): string[] {
  const found = new Set<string>();
  for (const { file, text } of sources) {
    for (const construct of CONSTRUCTS) {
      for (const [, name = ''] of text.matchAll(construct)) found.add(`${file} ${name}`);
    }
    const [, budgets = ''] = /const BUDGETS = \{([\s\S]*?)^\} as const/m.exec(text) ?? [];
    for (const [, name = ''] of budgets.matchAll(/^ {2}(\w+): \{/gm)) found.add(`${file} BUDGETS.${name}`);
  }
  // A time does not limit use.
  return [...found].filter((limit) => !OF_ONE_THING.has(limit) && !/_M?S$/.test(limit)).sort();
}

const rows = readRows();
/** What the values name: constants, their members, and codes of errors. */
const named = rows.flatMap(({ value }) =>
  [...value.matchAll(/`([A-Za-z]\w*(?:\.\w+)?)`/g)].map(([, name = '']) => ({ name, value })),
);

test('each row has a value, a key, the reason why it cannot be multiplied, and tests', () => {
  expect(rows.length).toBeGreaterThan(40);
  const names = files.map((file) => basename(file));
  for (const { limit, value, key, why, tests } of rows) {
    for (const cell of [limit, value, key, why]) expect(cell, limit).not.toBe('');
    const listed = [...tests.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name = '']) => name);
    expect(listed, limit).not.toEqual([]);
    for (const name of listed) expect(names, limit).toContain(name);
  }
});

test('each limit of use in the code has a row', () => {
  const limits = findLimits();
  expect(limits).toEqual(
    expect.arrayContaining([
      'app/http/access/access.ts OPEN_PER_MINUTE',
      'features/events/stream/stream-places.ts MAX_STREAMS',
      'features/accounts/throttling/login-throttle.ts BUDGETS.mail',
      'features/webhooks/webhook-service.ts webhook_limit_reached',
    ]),
  );
  const root = (name: string) => (name.startsWith('BUDGETS.') ? name : (name.split('.')[0] ?? ''));
  const mentions = (wanted: string) => named.filter(({ name }) => root(name) === wanted).length;
  const declarations = new Map<string, Set<string>>();
  for (const limit of limits) {
    const [file = '', name = ''] = limit.split(' ');
    declarations.set(root(name), (declarations.get(root(name)) ?? new Set()).add(file));
  }
  const missing = [...declarations].filter(([name, ofName]) => {
    // The same error can be thrown in several files. Constants of one name in several files are several limits.
    const wanted = /^[a-z]/.test(name) ? 1 : ofName.size;
    return mentions(name) < wanted;
  });
  expect(missing.map(([name, ofName]) => `${name}: ${[...ofName].join(', ')}`)).toEqual([]);
});

test('each constant that a row names is declared, with the value of the row', () => {
  for (const { name, value } of named) {
    if (!/^[A-Z]/.test(name)) continue;
    const [constant = '', member] = name.split('.');
    const declared = sources.flatMap(({ text }) => [
      ...text.matchAll(new RegExp(`^(?:export )?const ${constant}\\b[^=]*= ([\\s\\S]*?);$`, 'gm')),
    ]);
    expect(declared.length, name).toBeGreaterThan(0);
    const numbers = declared.map(([, text = '']) =>
      member === undefined
        ? text
        : (new RegExp(`^ *${member}: \\{ free: ([\\d_]+)`, 'm').exec(text)?.[1] ?? ''),
    );
    const plain = numbers.filter((text) => /^[\d_]+$/.test(text)).map((text) => text.replaceAll('_', ''));
    if (plain.length < declared.length) continue;
    const cell = value.replaceAll(',', '').replace('64 KiB', '65536');
    expect(
      plain.some((number) => new RegExp(`\\b${number}\\b`).test(cell)),
      `${name}: ${value}`,
    ).toBe(true);
  }
});
