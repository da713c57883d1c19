import type { CompletionTree } from './completion-tree.ts';

export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/**
 * Returns the completions of the last word. Returns none where any value is allowed, such as an id or a file name: the
 * shell then offers files.
 */
export function suggest(root: CompletionTree, words: readonly string[]): Suggestion[] {
  // bash passes `--severity=cr` as three words.
  const typed = words.filter((word) => word !== '=');
  const current = typed.at(-1) ?? '';
  const [, inline, begun] = /^(--[a-z-]+)=(.*)$/s.exec(current) ?? [];
  const { command, pending } = follow(root, typed.slice(0, -1));
  if (inline !== undefined) {
    const choices = optionOf(root, command, inline)?.choices ?? [];
    return startingWith(
      begun ?? '',
      choices.map((value) => ({ value: `${inline}=${value}`, description: '' })),
      inline,
    );
  }
  if (pending)
    return startingWith(
      current,
      pending.choices.map((value) => ({ value, description: '' })),
    );
  if (current.startsWith('-')) {
    return startingWith(
      current,
      [...command.options, ...root.options].flatMap(({ names, description }) =>
        names.filter((name) => name.startsWith('--')).map((value) => ({ value, description })),
      ),
    );
  }
  return startingWith(
    current,
    command.commands.map(({ name, description }) => ({ value: name, description })),
  );
}

type Option = CompletionTree['options'][number];

/** Follows the words to the command they name and the option whose value is next. */
function follow(
  root: CompletionTree,
  words: readonly string[],
): { command: CompletionTree; pending?: Option } {
  let command = root;
  let pending: Option | undefined;
  for (const word of words) {
    if (pending) {
      pending = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionOf(root, command, word);
      if (option?.takesValue && !word.includes('=')) pending = option;
      continue;
    }
    command = command.commands.find(({ name }) => name === word) ?? command;
  }
  return pending ? { command, pending } : { command };
}

function optionOf(root: CompletionTree, command: CompletionTree, word: string): Option | undefined {
  const name = word.replace(/=.*$/s, '');
  return [...command.options, ...root.options].find(({ names }) => names.includes(name));
}

function startingWith(begun: string, all: readonly Suggestion[], inline?: string): Suggestion[] {
  const beginning = inline === undefined ? begun : `${inline}=${begun}`;
  const fitting = all.filter(({ value }) => value.startsWith(beginning));
  return [...new Map(fitting.map((one) => [one.value, one])).values()];
}
