import { createTestContext } from '@tps/testing/tps';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { OPERATOR_COMMANDS } from './commands/operator-commands.ts';
import { buildProgram } from './program.ts';

interface CommandEntry {
  readonly path: string;
  readonly command: Command;
}

function walk(command: Command, path: string): CommandEntry[] {
  return [{ path, command }, ...command.commands.flatMap((one) => walk(one, `${path} ${one.name()}`))];
}

/** The whole help text, including the text added after it. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

const program = buildProgram(createTestContext().context);
// The help of operator commands comes from the service's command line.
const all = walk(program, 'tps').filter(
  ({ path }) => !Object.hasOwn(OPERATOR_COMMANDS, path.split(' ')[1] ?? ''),
);

test.each(all)('the help of $path has examples of it or of its subcommands', ({ path, command }) => {
  const [, lines = ''] = helpOf(command).split('\nExamples:\n');
  expect(lines.trim()).not.toBe('');
  expect(lines).toContain(path);
});

test.each(all)('$path and each of its options and arguments has a description', ({ command }) => {
  expect(command.description()).not.toBe('');
  for (const { flags, description } of command.options) expect(description, flags).not.toBe('');
  for (const argument of command.registeredArguments) {
    expect(argument.description, argument.name()).not.toBe('');
  }
});

test('commands that make something are called create, and the old names still work', () => {
  const makers = all.filter(({ path }) => /\b(add|new|make)$/.test(path));
  expect(makers.map(({ path }) => path)).toEqual(['tps webhooks add']);
  const webhooks = program.commands.find((command) => command.name() === 'webhooks');
  if (!webhooks) throw new Error('there is no command webhooks');
  expect(helpOf(webhooks)).toMatch(/^ {2}create /m);
  expect(helpOf(webhooks)).not.toMatch(/^ {2}add /m);
});

test('no command has an option of the same name as the program', () => {
  const ours = program.options.map(({ long }) => long);
  for (const { path, command } of all.slice(1)) {
    for (const { long } of command.options) expect(ours, path).not.toContain(long);
  }
});

test('no option takes a credential, which the list of processes would show', () => {
  for (const { path, command } of all) {
    for (const { long, required } of command.options) {
      if (required) expect(long, path).not.toMatch(/^--(credential|secret|token|password|key)$/);
    }
  }
});
