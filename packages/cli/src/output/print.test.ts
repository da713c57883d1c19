import { createTestContext } from '@tps/testing/tps';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { openSession } from '../session.ts';
import { printFields, printList, toLimit } from './print.ts';
import type { Column } from './table.ts';

interface Item {
  readonly id: number;
  readonly text: string;
}
const columns: readonly Column<Item>[] = [
  { heading: 'ID', of: ({ id }) => String(id) },
  { heading: 'TEXT', of: ({ text }) => text },
];

function open(...args: string[]) {
  const { context, ...written } = createTestContext();
  const command = new Command().option('--json').option('--ndjson').parse(args, { from: 'user' });
  return { session: openSession(context, command), ...written };
}

async function* items(count: number, seen: number[] = []): AsyncGenerator<Item> {
  for (let id = 0; id < count; id += 1) {
    seen.push(id);
    yield { id, text: 'a\u001b[2Jb' };
  }
}

test('control characters are escaped in every format', async () => {
  for (const format of [[], ['--json'], ['--ndjson']]) {
    const { session, stdout } = open(...format);
    await printList(session, items(1), { columns, limit: 9 });
    await printFields(session, { text: '\u009b' }, [['text', '\u009b']]);
    expect(stdout()).toContain('a\\u001b[2Jb');
    expect(stdout()).toContain('\\u009b');
    expect(stdout()).not.toContain('\u001b');
  }
});

test('--json prints one document, also for an empty list', async () => {
  for (const count of [0, 1, 3]) {
    const { session, stdout } = open('--json');
    await printList(session, items(count), { columns, limit: 9 });
    expect(JSON.parse(stdout())).toHaveLength(count);
  }
});

test('a truncated list is reported on the standard error, also with --json', async () => {
  for (const format of [[], ['--json']]) {
    const { session, stderr } = open(...format);
    await printList(session, items(3), { columns, limit: 2 });
    expect(stderr()).toContain('Only the first 2 are shown');
  }
});

test('--ndjson prints each document as soon as it is read', async () => {
  const { session, stdout } = open('--ndjson');
  let before = '';
  async function* watched() {
    for await (const item of items(2)) {
      before = stdout();
      yield item;
    }
  }
  await printList(session, watched(), { columns, limit: 9 });
  expect(before).toMatch(/^\{"id":0,.*\}\n$/);
  expect(stdout().trimEnd().split('\n')).toHaveLength(2);
});

test('a list reads one item beyond its limit and reports that there are more', async () => {
  const { session, stdout, stderr } = open();
  const seen: number[] = [];
  await printList(session, items(1000, seen), { columns, limit: 3 });
  expect(stdout().trimEnd().split('\n')).toHaveLength(4);
  expect(seen).toHaveLength(4);
  expect(stderr()).toContain('first 3');
});

test('a list with exactly as many items as the limit is not reported as truncated', async () => {
  const { session, stderr } = open();
  await printList(session, items(3), { columns, limit: 3 });
  expect(stderr()).toBe('');
});

test('a long table has one heading', async () => {
  const { session, stdout } = open();
  await printList(session, items(450), { columns, limit: Number.POSITIVE_INFINITY });
  expect(stdout().match(/ID/g)).toHaveLength(1);
  expect(stdout().trimEnd().split('\n')).toHaveLength(451);
});

test('a longer id in a later part of a table is not truncated', async () => {
  const { session, stdout } = open();
  async function* growing() {
    yield* items(300);
    yield { id: 123_456_789, text: 'last' };
  }
  await printList(session, growing(), { columns, limit: Number.POSITIVE_INFINITY });
  expect(stdout()).toContain('123456789');
});

test('--ndjson has no default limit, other formats have one', () => {
  expect(toLimit({ format: 'ndjson' }, {})).toBe(Number.POSITIVE_INFINITY);
  expect(toLimit({ format: 'ndjson' }, { limit: 2 })).toBe(2);
  expect(toLimit({ format: 'json' }, {})).toBe(50);
  expect(toLimit({ format: 'table' }, { all: true })).toBe(Number.POSITIVE_INFINITY);
});
