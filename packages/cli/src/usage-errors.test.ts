import { createTestContext } from '@tps/testing/tps';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { OPERATOR_COMMANDS } from './commands/operator-commands.ts';
import { findServerCommand } from './operator/server-command.ts';
import { buildProgram } from './program.ts';
import { run } from './run.ts';

/** Nothing that a usage error may reach: no profile, no service, no store. */
const ENV = { XDG_CONFIG_HOME: '/nonexistent', SERVICE_DATABASE_URL: 'sqlite:/nonexistent/service.db' };

async function tps(...args: string[]) {
  const { context, stdout, stderr } = createTestContext({ env: ENV });
  return { code: await run(args, context), stdout: stdout(), stderr: stderr() };
}

interface Entry {
  readonly path: string;
  readonly words: readonly string[];
  readonly command: Command;
}

function walk(command: Command, words: readonly string[]): Entry[] {
  const children = command.commands.flatMap((child) => walk(child, [...words, child.name()]));
  return [{ path: ['tps', ...words].join(' '), words, command }, ...children];
}

const isOperators = (command: Command) => Object.hasOwn(OPERATOR_COMMANDS, command.name());
const ours = buildProgram(createTestContext().context).commands.filter((command) => !isOperators(command));
const operators = await Promise.all(Object.keys(OPERATOR_COMMANDS).map(findServerCommand));
const commands = [...ours, ...operators].flatMap((command) =>
  command === undefined ? [] : walk(command, [command.name()]),
);
const leaves = commands.filter(({ command }) => command.commands.length === 0);
const groups = commands.filter(({ command }) => command.commands.length > 0);
/** As many words as the command requires, of which it may refuse each by itself. */
const argumentsOf = ({ registeredArguments }: Command) =>
  registeredArguments.filter(({ required }) => required).map(() => 'x');

describe('a usage error exits with 2, before anything is done', () => {
  test('all commands are walked', () => {
    expect(leaves.length).toBeGreaterThan(130);
    expect(groups.length).toBeGreaterThan(25);
  });

  test.each(leaves)('$path with an unknown option', async ({ words, command }) => {
    const { code, stdout, stderr } = await tps(...words, ...argumentsOf(command), '--no-such-option');
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/unknown option '--no-such-option'|required option/);
  });

  test.each(leaves.filter(({ command }) => argumentsOf(command).length > 0))(
    '$path without its argument',
    async ({ words }) => {
      const { code, stdout, stderr } = await tps(...words);
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/missing required argument|required option/);
    },
  );

  test.each(leaves.filter(({ command }) => command.registeredArguments.every(({ variadic }) => !variadic)))(
    '$path with an argument too many',
    async ({ words, command }) => {
      const most = command.registeredArguments.map(() => 'x');
      const { code, stdout, stderr } = await tps(...words, ...most, 'excess');
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    },
  );

  test.each(groups)('$path with an unknown subcommand', async ({ words }) => {
    const { code, stdout, stderr } = await tps(...words, 'no-such-command');
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/unknown command 'no-such-command'|too many arguments for 'show'/);
  });

  const withValue = leaves.flatMap(({ path, words, command }) =>
    command.options.filter(({ required }) => required).map(({ long }) => ({ path, words, command, long })),
  );
  test.each(withValue)('$path with $long, but without its value', async ({ words, command, long }) => {
    const { code, stdout, stderr } = await tps(...words, ...argumentsOf(command), String(long));
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('argument missing');
  });

  test.each([
    [['tenants', 'set-limit', 'tnt_x', 'many'], 'Use a whole number'],
    [['tenants', 'set-triage', 'tnt_x', '21'], 'Use a whole number'],
    [['tenants', 'delete', 'tnt_x', '--confirm', 'tnt_x', '--after-days', '0'], 'Use a whole number'],
    [['retention', 'set', 'tnt_x', 'event', '5'], 'Use one of'],
    [['retention', 'set', 'tnt_x', 'events', '3651'], 'Use a whole number'],
    [['tokens', 'create', '--store', '--tenant', 'tnt_x', '--name', 'x', '--scopes', 'nonsense'], 'nonsense'],
    [['indicators', 'remove', '--global', '--source', 'own', '--type', 'domain'], '--value'],
    [['backup', '--env-file'], '--env-file requires'],
    [['backup', 'x.db', '--env-file', '/nope.env'], 'Cannot read the settings in /nope.env: no such file'],
    [['backup', 'x.db', '--env-file', '/'], 'Cannot read the settings in /: it is a directory'],
    [['alerts', 'list', '--limit', '0'], 'Use a whole number'],
    [['events', 'list', '--since', 'yesterday'], 'Use a time'],
  ])('%j, of which a value is not valid', async (args, message) => {
    const { code, stdout, stderr } = await tps(...args);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
