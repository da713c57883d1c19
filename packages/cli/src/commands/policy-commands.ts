import type { Client, NewPolicy, Policy } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printDone, printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { addChangeOptions, type PolicyFlags, toCategories, toPolicyChange } from './policy-flags.ts';
import { addPolicySimulation } from './policy-simulate-command.ts';
import { ACTIONS, choice, toShare } from './values.ts';

const ARGUMENT = ['<policy>', 'id of the policy'] as const;

export function addPolicyCommands(program: Command, context: CommandContext): void {
  const policies = addGroup(
    program,
    'policies',
    'manage how devices respond to threats',
    'tps policies list',
  );
  addListCommand(policies, context, {
    description: 'list policies that are not archived, newest first',
    list: (client, query: Parameters<Client['policies']['list']>[0]) => client.policies.list(query),
    columns: [
      { heading: 'ID', of: (policy) => policy.policy_id },
      { heading: 'NAME', of: (policy) => policy.name, mayShrink: true },
      { heading: 'ACTION', of: (policy) => policy.action, isState: true },
      { heading: 'THRESHOLD', of: (policy) => String(policy.confidence_threshold ?? 'any') },
      { heading: 'STATE', of: (policy) => (policy.enabled ? 'enabled' : 'disabled') },
      { heading: 'CATEGORIES', of: (policy) => policy.threat_categories.join(', '), mayShrink: true },
    ],
    examples: ['tps policies list'],
  });
  addItemCommand(policies, context, {
    name: 'show',
    description: 'show one policy',
    argument: ARGUMENT,
    examples: ['tps policies show pol_0123'],
    call: (id, { client, tenant }) => client.policies.get(id, tenant),
    fields: toFields,
  });
  addCreate(policies, context);
  addUpdate(policies, context);
  addArchive(policies, context);
  addPolicySimulation(policies, context);
}

function addCreate(policies: Command, context: CommandContext): void {
  policies
    .command('create')
    .description('create a policy')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--category <categories>', 'threat categories, separated by commas', toCategories)
    .addOption(choice('--action <action>', 'action of the device', ACTIONS).makeOptionMandatory())
    .option('--threshold <number>', 'minimum confidence, 0 to 1', toShare)
    .option('--policy-id <id>', 'id of the policy (default: generated)')
    .option('--disable', 'create the policy disabled')
    .addHelpText(
      'after',
      examples(
        'tps policies create --name "Block phishing" --category phishing --action block --threshold 0.8',
      ),
    )
    .action(async (flags: Required<PolicyFlags> & { policyId?: string }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const { name, category, action, threshold, policyId, disable } = flags;
      const policy = await client.policies.create({
        name,
        threat_categories: category,
        action,
        enabled: !disable,
        ...(threshold === undefined ? {} : { confidence_threshold: threshold }),
        ...(policyId === undefined ? {} : { policy_id: policyId }),
        ...tenant,
      } satisfies NewPolicy);
      await printFields(session, policy, toFields(policy));
    });
}

function addUpdate(policies: Command, context: CommandContext): void {
  const update = policies
    .command('update')
    .description('change a policy, which increases its version')
    .argument(...ARGUMENT);
  addChangeOptions(update)
    .addHelpText(
      'after',
      examples('tps policies update pol_0123 --threshold 0.9', 'tps policies update pol_0123 --disable'),
    )
    .action(async (id: string, flags: PolicyFlags, command: Command) => {
      const change = toPolicyChange(flags);
      if (Object.keys(change).length === 0)
        throw usageError('Nothing to change. See: tps policies update --help');
      const { client, session, tenant } = await openCall(context, command);
      const policy = await client.policies.update(id, { ...change, ...tenant });
      await printFields(session, policy, toFields(policy));
    });
}

function addArchive(policies: Command, context: CommandContext): void {
  policies
    .command('archive')
    .description('archive a policy: devices do not get it any more')
    .argument(...ARGUMENT)
    .addHelpText('after', examples('tps policies archive pol_0123'))
    .action(async (id: string, _options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      await client.policies.archive(id, tenant);
      await printDone(session, `Archived policy ${id}.`, { policy_id: id, archived: true });
    });
}

function toFields(policy: Policy): Fields {
  return [
    ['policy', policy.policy_id],
    ['name', policy.name],
    ['action', policy.action],
    ['categories', policy.threat_categories.join(', ')],
    ['threshold', policy.confidence_threshold ?? 'any confidence'],
    ['state', policy.enabled ? 'enabled' : 'disabled'],
    ['version', policy.version],
    ['updated', toShortTime(policy.updated_at)],
    ['archived', toShortTime(policy.archived_at)],
  ];
}
