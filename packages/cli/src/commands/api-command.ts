import type { Client } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { printFields } from '../output/print.ts';
import { openSession, type Session } from '../session.ts';
import { examples } from './examples.ts';

/** What one call of the API needs beside what was typed. */
export interface Call {
  readonly client: Client;
  readonly session: Session;
  /** To be put into the query or the body: names the tenant where the credential does not. */
  readonly tenant: { readonly tenant_id?: string };
}

/** Connects for one call. */
export async function openCall(context: CommandContext, command: Command): Promise<Call> {
  const session = openSession(context, command);
  return { client: await session.client(), session, tenant: await session.tenant() };
}

export type Fields = readonly (readonly [name: string, text: string | number | null | undefined])[];

/** A command that does one thing to one thing, and prints what that is then. */
export interface ItemCommand<Item> {
  readonly name: string;
  readonly description: string;
  readonly of: readonly [name: string, description: string];
  readonly examples: readonly string[];
  readonly call: (id: string, call: Call) => Promise<Item>;
  readonly fields: (item: Item) => Fields;
}

/** Adds a command that takes an id and prints one thing. */
export function addItemCommand<Item>(
  parent: Command,
  context: CommandContext,
  wanted: ItemCommand<Item>,
): Command {
  const command: Command = parent
    .command(wanted.name)
    .description(wanted.description)
    .argument(...wanted.of)
    .addHelpText('after', examples(...wanted.examples))
    .action(async (id: string) => {
      const call = await openCall(context, command);
      const item = await wanted.call(id, call);
      await printFields(call.session, item, wanted.fields(item));
    });
  return command;
}

/** Adds a command that has others below it. */
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
