import type { Client, Holding, HoldingAdoption } from '@tps/client';
import { describeHolding, HOLDING_KINDS } from '@tps/contract/vocabulary';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { printDone } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, type Call, omitUndefined, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { addListCommand } from './list-command.ts';
import { requireConsent } from './require-consent.ts';

/** What may end: a person, a client, or what a person set up through a client. */
interface Root {
  readonly owner_id?: string;
  readonly client_id?: string;
}

export function addHoldingCommands(program: Command, context: CommandContext): void {
  const holdings = addGroup(
    program,
    'holdings',
    'list and adopt what ends with a member, an OAuth client or a token',
    'tps holdings list --owner-id acc_0123',
    'tps holdings adopt webhook:whk_0123',
  );
  addListCommand(holdings, context, {
    description: 'list what acts on the authority of a member, client or token, and would end with it',
    filters: [
      new Option('--owner-id <id>', 'account, token or OAuth client that owns it'),
      new Option('--client-id <id>', 'OAuth client through which it was set up'),
    ],
    list: (client, query: Parameters<Client['holdings']['list']>[0]) => client.holdings.list(query),
    columns: [
      { heading: 'KIND', of: ({ kind }) => kind },
      { heading: 'ID', of: ({ id }) => id },
      { heading: 'NAME', of: ({ name }) => name, mayShrink: true },
      { heading: 'OWNER', of: (holding) => holding.owner_id },
      { heading: 'SINCE', of: (holding) => toShortTime(holding.owned_since) },
      { heading: 'AT THE END', of: (holding) => holding.at_end },
      { heading: 'ADOPTABLE', of: (holding) => (holding.can_be_adopted ? 'yes' : 'no') },
    ],
    examples: ['tps holdings list --owner-id acc_0123', 'tps holdings list --client-id cli_0123'],
  });
  addAdopt(holdings, context);
}

function addAdopt(holdings: Command, context: CommandContext): void {
  const adopt: Command = holdings
    .command('adopt')
    .description('become the owner of what another person or program owns')
    .argument('[items...]', `what to adopt, as <kind>:<id>; kinds: ${HOLDING_KINDS.join(', ')}`, toItem)
    .option('--owner-id <id>', 'adopt everything adoptable of this account, token or OAuth client')
    .addHelpText(
      'after',
      examples(
        'tps holdings adopt webhook:whk_0123 oauth_client:cli_0123',
        'tps holdings adopt --owner-id acc_0123',
      ),
    )
    .action(async (items: HoldingAdoption['items']) => {
      const { ownerId } = adopt.opts<{ ownerId?: string }>();
      if ((items.length === 0) === (ownerId === undefined)) {
        throw usageError('Either items or --owner-id is required.');
      }
      const call = await openCall(context, adopt);
      const wanted = ownerId === undefined ? items : await listAdoptable(call, { owner_id: ownerId });
      const data =
        wanted.length === 0
          ? []
          : (await call.client.holdings.adopt({ items: [...wanted], ...call.tenant })).data;
      const lines = data.map(({ kind, id }) => `${kind}:${id}`);
      await printDone(
        call.session,
        lines.length === 0 ? 'Nothing can be adopted.' : `Adopted ${lines.join(', ')}.`,
        {
          data,
        },
      );
    });
}

/** Parses `<kind>:<id>`. Commander calls this for each argument, with the earlier ones. */
function toItem(text: string, before: HoldingAdoption['items'] = []): HoldingAdoption['items'] {
  const [kind = '', id = ''] = text.split(/:(.*)/s, 2);
  const known = HOLDING_KINDS.find((one) => one === kind);
  if (known === undefined || id === '') {
    throw new InvalidArgumentError(`Write <kind>:<id>, where the kind is ${HOLDING_KINDS.join(', ')}.`);
  }
  return [...before, { kind: known, id }];
}

async function listAdoptable(call: Call, root: Root): Promise<HoldingAdoption['items']> {
  const items: HoldingAdoption['items'] = [];
  for await (const { kind, id, can_be_adopted } of call.client.holdings.list({ ...root, ...call.tenant })) {
    if (can_be_adopted) items.push({ kind, id });
  }
  return items;
}

/**
 * Lists what ends with a root, and asks for confirmation if others may depend on something in it.
 * @throws CommandError without consent
 */
export async function confirmEnding(
  context: CommandContext,
  { client, tenant }: Call,
  { root, effect, yes }: { root: Root; effect: string; yes: boolean | undefined },
): Promise<void> {
  if (yes) return;
  const ending: Holding[] = [];
  for await (const holding of client.holdings.list({ ...omitUndefined(root), ...tenant }))
    ending.push(holding);
  if (!ending.some((holding) => holding.can_be_adopted)) return;
  await context.stderr.write(`${effect} ends:\n`);
  for (const holding of ending) await context.stderr.write(`  ${sanitizeLine(describeHolding(holding))}\n`);
  await context.stderr.write('Keep what others use with: tps holdings adopt\n');
  await requireConsent(context, `${effect} ends what is listed`);
}
