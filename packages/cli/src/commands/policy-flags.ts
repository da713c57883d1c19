import type { Policy, PolicyChange } from '@tps/client';
import type { Command } from 'commander';
import { usageError } from '../output/command-error.ts';
import { ACTIONS, choice, THREAT_CATEGORIES, toShare, wordsOf } from './values.ts';

export const toCategories = wordsOf(THREAT_CATEGORIES);

/** Flags of a change. */
export interface PolicyFlags {
  readonly name?: string;
  readonly category?: Policy['threat_categories'];
  readonly action?: Policy['action'];
  readonly threshold?: number;
  readonly anyConfidence?: true;
  readonly enable?: true;
  readonly disable?: true;
}

/** Adds the options of a change. */
export function addChangeOptions(command: Command): Command {
  return command
    .option('--name <name>', 'display name')
    .option('--category <categories>', 'threat categories, separated by commas', toCategories)
    .addOption(choice('--action <action>', 'action of the device', ACTIONS))
    .option('--threshold <number>', 'minimum confidence, 0 to 1', toShare)
    .option('--any-confidence', 'remove the minimum confidence')
    .option('--enable', 'enable the policy')
    .option('--disable', 'disable the policy');
}

/** @throws CommandError for flags that contradict each other */
export function toPolicyChange({
  name,
  category,
  action,
  threshold,
  anyConfidence,
  enable,
  disable,
}: PolicyFlags): PolicyChange {
  if (enable && disable) throw usageError('--enable and --disable cannot be combined.');
  if (threshold !== undefined && anyConfidence)
    throw usageError('--threshold and --any-confidence cannot be combined.');
  return {
    ...(name === undefined ? {} : { name }),
    ...(category === undefined ? {} : { threat_categories: category }),
    ...(action === undefined ? {} : { action }),
    ...(threshold === undefined ? {} : { confidence_threshold: threshold }),
    ...(anyConfidence ? { confidence_threshold: null } : {}),
    ...(enable || disable ? { enabled: enable === true } : {}),
  };
}
