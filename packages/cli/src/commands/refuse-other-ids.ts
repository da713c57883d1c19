import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import { usageError } from '../output/command-error.ts';

type IdNoun = keyof typeof ID_PREFIXES;

/** Arguments whose name is not the noun of the id. */
const NOUNS: Readonly<Record<string, IdNoun>> = {
  card: 'guidance',
  client: 'oauth_client',
  entry: 'dead_letter',
  channel: 'notice_channel',
  request: 'data_request',
};
/** What the ids of `bulk` belong to, by its group. */
const BULK: Readonly<Record<string, IdNoun>> = {
  incidents: 'incident',
  jobs: 'job',
  devices: 'device',
  dlq: 'dead_letter',
};
const BY_PREFIX = new Map<string, IdNoun>(
  Object.entries(ID_PREFIXES).map(([noun, prefix]) => [prefix, noun as IdNoun]),
);

/**
 * Refuses an id of another kind than the command is about, which the service would not find. The message names the kind
 * of the id and the command that shows it.
 *
 * @throws CommandError
 */
export function refuseOtherIds(program: Command, command: Command): void {
  for (const [at, argument] of command.registeredArguments.entries()) {
    const expected = nounOf(argument.name(), command);
    const values = argument.variadic ? command.args.slice(at) : command.args.slice(at, at + 1);
    for (const value of values) {
      const actual = kindOf(value);
      if (expected === undefined || actual === undefined || actual === expected) continue;
      const path = findShow(program, actual);
      const hint = path === undefined ? '' : ` Run: ${path} ${value}`;
      throw usageError(
        `${value} is the id of ${withArticle(actual)}, not of ${withArticle(expected)}.${hint}`,
      );
    }
  }
}

function nounOf(name: string, command: Command): IdNoun | undefined {
  if (name === 'ids') return command.name() === 'bulk' ? BULK[command.parent?.name() ?? ''] : undefined;
  return NOUNS[name] ?? (Object.hasOwn(ID_PREFIXES, name) ? (name as IdNoun) : undefined);
}

function kindOf(text: string): IdNoun | undefined {
  const [, prefix] = /^([a-z]{3})_[A-Za-z0-9_-]{1,64}$/.exec(text) ?? [];
  return prefix === undefined ? undefined : BY_PREFIX.get(prefix);
}

function withArticle(noun: IdNoun): string {
  const words = noun.replace('_', ' ').replace('oauth', 'OAuth');
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** Returns the command that shows an item of a kind, such as `tps events show`. */
function findShow(command: Command, noun: IdNoun, path = command.name()): string | undefined {
  const [first] = command.registeredArguments;
  const shows = command.name() === 'show' || command.name() === 'get';
  if (shows && first && nounOf(first.name(), command) === noun) return path;
  for (const child of command.commands) {
    const found = findShow(child, noun, `${path} ${child.name()}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
