import { openTestDatabase } from '@tps/testing/store';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildCommandLine } from './command-line.ts';

function build(url = 'sqlite:./nowhere.db') {
  const printed: string[] = [];
  const program = buildCommandLine({
    env: { SERVICE_DATABASE_URL: url },
    stdout: async (text) => printed.push(text) > 0,
    stderr: () => undefined,
    failWith: () => undefined,
    serve: async () => undefined,
  });
  const run = async (...args: string[]) => {
    printed.length = 0;
    await program.parseAsync(args, { from: 'user' });
    return printed.join('\n');
  };
  return { program, run };
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const one of command.commands) yield* everyCommand(one);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
  return text;
}

const all = [...everyCommand(build().program)].map((command) => ({ path: pathOf(command), command }));

test.each(all)('$path has help with examples that begin with its own name', ({ path, command }) => {
  const [, examples = ''] = helpOf(command).split('\nExamples:\n');
  const lines = (examples.split('\n\n')[0] ?? '').trimEnd().split('\n');
  expect(lines.some((line) => line.includes(path))).toBe(true);
  for (const line of lines) expect(line).toMatch(/^ {2}(\w+=\S+ )*tps /);
});

describe('--json', () => {
  /** The members that the help of a command promises, without those in brackets. */
  function promised(command: Command | undefined): string[] {
    const text = command?.options.find(({ long }) => long === '--json')?.description ?? '';
    return text
      .replace(/^.*?: (array with members )?/, '')
      .replaceAll(/ \([^)]*\)/g, '')
      .split(', ');
  }

  test('has the members that the help promises', async () => {
    const { url, drop } = await openTestDatabase({ exclusive: false });
    onTestFinished(drop);
    const { program, run } = build(url);
    const expectPromised = async (path: string, ...more: string[]) => {
      const value = JSON.parse(await run(...path.split(' '), ...more, '--json')) as object;
      const command = [...everyCommand(program)].find((one) => pathOf(one) === `tps ${path}`);
      expect(Object.keys(Array.isArray(value) ? value[0] : value), path).toEqual(promised(command));
      return value as Record<string, unknown>;
    };
    const tenant = await expectPromised('tenants create', 'Example Ltd', '--test');
    expect(tenant).toMatchObject({ name: 'Example Ltd', environment: 'test' });
    const id = String(tenant.tenant_id);
    await expectPromised('admin-link', '--tenant', id);
    const token = await expectPromised('tokens create', '--tenant', id, '--name', 'x');
    expect(token).toMatchObject({ tenant_id: id, name: 'x', expires_at: null });
    expect(token.token).toMatch(/^svc_test_/);
    await expectPromised('tenants list');
    const { classes } = await expectPromised('retention show', '--tenant', id);
    expect(classes).toContainEqual(expect.objectContaining({ data_class: 'events', days: 180 }));
    await expectPromised('retention run', '--dry-run');
    const checked = await expectPromised('check');
    expect(checked).toMatchObject({ ok: true, store: { reachable: true, writable: true } });
    const gone = await expectPromised('tenants delete', id, '--confirm', id);
    expect(gone).toMatchObject({ tenant_id: id, name: 'Example Ltd' });
    expect(await expectPromised('verify')).toMatchObject({ sound: true, problems: [], tenants: 1 });
  });
});
