import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { OPERATOR_COMMANDS } from './commands/operator-commands.ts';
import { buildProgram } from './program.ts';
import { createTestContext } from './testing/test-context.ts';

interface Named {
  readonly path: string;
  readonly command: Command;
}

function walk(command: Command, path: string): Named[] {
  return [{ path, command }, ...command.commands.flatMap((one) => walk(one, `${path} ${one.name()}`))];
}

/** What help prints, with what is added after it. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

const program = buildProgram(createTestContext().context);
// The operator's commands have their help from the service's own program.
const all = walk(program, 'tps').filter(
  ({ path }) => !Object.hasOwn(OPERATOR_COMMANDS, path.split(' ')[1] ?? ''),
);

test.each(all)(
  'the help of $path has examples that begin with it or a command below it',
  ({ path, command }) => {
    const [, lines = ''] = helpOf(command).split('\nExamples:\n');
    expect(lines.trim()).not.toBe('');
    expect(lines).toContain(path);
  },
);

test.each(all)('$path and each of its options and arguments is described', ({ command }) => {
  expect(command.description()).not.toBe('');
  for (const { flags, description } of command.options) expect(description, flags).not.toBe('');
  for (const argument of command.registeredArguments) {
    expect(argument.description, argument.name()).not.toBe('');
  }
});

test('no command has an option of a name that the program has: it would never get it', () => {
  const ours = program.options.map(({ long }) => long);
  for (const { path, command } of all.slice(1)) {
    for (const { long } of command.options) expect(ours, path).not.toContain(long);
  }
});

test('no command takes a credential or a secret as an argument: it would show in the list of processes', () => {
  for (const { path, command } of all) {
    for (const { long, required } of command.options) {
      if (required) expect(long, path).not.toMatch(/^--(credential|secret|token|password|key)$/);
    }
  }
});
