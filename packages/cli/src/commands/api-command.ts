import type { Client } from '@tps/client';
import type { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printDone, printFields } from '../output/print.ts';
import { openSession, type Session } from '../session.ts';
import { examples } from './examples.ts';

/** What a command needs to call the API. */
export interface Call {
  readonly client: Client;
  readonly session: Session;
  /** Goes into the query or the body: the tenant to use with an operator credential. */
  readonly tenant: { readonly tenant_id?: string };
}

/** Opens the session and the client of a command. */
export async function openCall(context: CommandContext, command: Command): Promise<Call> {
  const session = openSession(context, command);
  return { client: await session.client(), session, tenant: await session.tenant() };
}

export type Fields = readonly (readonly [name: string, text: string | number | null | undefined])[];

/** A command that takes an id, calls the API and prints the resulting item. */
export interface ItemCommand<Item> {
  readonly name: string;
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  readonly examples: readonly string[];
  readonly call: (id: string, call: Call) => Promise<Item>;
  readonly fields: (item: Item) => Fields;
}

/** Adds a command that takes an id and prints one item. */
export function addItemCommand<Item>(
  parent: Command,
  context: CommandContext,
  spec: ItemCommand<Item>,
): Command {
  const command: Command = parent
    .command(spec.name)
    .description(spec.description)
    .argument(...spec.argument)
    .addHelpText('after', examples(...spec.examples))
    .action(async (id: string) => {
      const call = await openCall(context, command);
      const item = await spec.call(id, call);
      await printFields(call.session, item, spec.fields(item));
    });
  return command;
}

/** A command that ends something by its id. */
export interface EndCommand {
  /** `remove`: it is gone afterwards. `revoke`: it is listed as revoked. */
  readonly name: 'remove' | 'revoke';
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  /** What it is called, such as `webhook`. */
  readonly noun: string;
  /** The member of the output with the id. */
  readonly idMember: string;
  readonly example: string;
  /** More options of the command. Their values are the flags that `call` gets. */
  readonly options?: readonly Option[];
  readonly call: (id: string, call: Call, flags: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Asks for confirmation if other things end with the object. The command then has `--yes`. */
  readonly confirm?: (id: string, call: Call, flags: { readonly yes?: true }) => Promise<void>;
}

/** Adds a command that ends something by its id, and prints that it has. */
export function addEndCommand(parent: Command, context: CommandContext, spec: EndCommand): void {
  const done = spec.name === 'remove' ? 'removed' : 'revoked';
  const command: Command = parent
    .command(spec.name)
    .description(spec.description)
    .argument(...spec.argument)
    .addHelpText('after', examples(spec.example));
  for (const option of spec.options ?? []) command.addOption(option);
  if (spec.confirm) command.option('--yes', 'do not ask for confirmation');
  command.action(async (id: string) => {
    const call = await openCall(context, command);
    await spec.confirm?.(id, call, command.opts());
    await spec.call(id, call, command.opts());
    const sentence = `${done === 'removed' ? 'Removed' : 'Revoked'} ${spec.noun} ${id}.`;
    await printDone(call.session, sentence, { [spec.idMember]: id, [done]: true });
  });
}

/** Adds a group of commands. */
export function addGroup(parent: Command, name: string, description: string, ...lines: string[]): Command {
  return parent
    .command(name)
    .description(description)
    .addHelpText('after', examples(...lines));
}

/** Returns the members that are defined. */
export function omitUndefined<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}
