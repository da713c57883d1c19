import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';

/** Asks for confirmation on a terminal. @throws CommandError without it */
export async function requireConsent({ stdin, stderr }: CommandContext, effect: string): Promise<void> {
  if (!stdin.isTTY || !stderr.isTerminal) {
    throw usageError(`${effect}. Confirm with --yes, because the input is not a terminal.`);
  }
  const { confirm } = await import('@clack/prompts');
  const isAgreed = await confirm({ message: `${effect}. Continue?`, initialValue: false });
  if (isAgreed !== true) throw usageError('Nothing was changed.');
}
