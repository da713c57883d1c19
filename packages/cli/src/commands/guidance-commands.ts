import type { Client, GuidanceCard } from '@tps/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { addGroup, addItemCommand, type Call } from './api-command.ts';
import { addListCommand } from './list-command.ts';
import { AUDIENCES, choice, LOCALES, SEVERITIES, THREAT_CATEGORIES } from './values.ts';

export function addGuidanceCommands(program: Command, context: CommandContext): void {
  const guidance = addGroup(program, 'guidance', 'read advice on threats', 'tps guidance list');
  addListCommand(guidance, context, {
    description: 'list guidance cards',
    filters: [
      choice('--threat-category <category>', 'only cards about this category', THREAT_CATEGORIES),
      choice('--severity <severity>', 'only cards that apply to this severity', SEVERITIES),
      choice('--audience <audience>', 'only cards for this audience', AUDIENCES),
      choice('--locale <locale>', 'only cards in this language', LOCALES),
    ],
    list: (client, query: Parameters<Client['guidance']['list']>[0]) => client.guidance.list(query),
    columns: [
      { heading: 'ID', of: (card) => card.guidance_id },
      { heading: 'CATEGORY', of: (card) => card.threat_category },
      { heading: 'SEVERITY', of: (card) => card.severity_min },
      { heading: 'AUDIENCE', of: (card) => card.audience },
      { heading: 'LANGUAGE', of: (card) => card.locale },
      { heading: 'TITLE', of: (card) => card.title, mayShrink: true },
    ],
    examples: ['tps guidance list --threat-category phishing --audience user --locale en'],
  });
  addItemCommand(guidance, context, {
    name: 'show',
    description: 'show one guidance card',
    argument: ['<card>', 'id of the card'],
    examples: ['tps guidance show gui_0123'],
    call: findCard,
    fields: (card) => [
      ['card', card.guidance_id],
      ['title', card.title],
      ['summary', card.summary],
      ...card.steps.map(({ order, kind, text }) => [`${order}. ${kind}`, text] as const),
      ...card.references.map(({ title, url }) => ['reference', `${title}: ${url}`] as const),
    ],
  });
}

/** The API has few cards and no request for one of them. */
async function findCard(id: string, { client, tenant }: Call): Promise<GuidanceCard> {
  for await (const card of client.guidance.list(tenant)) if (card.guidance_id === id) return card;
  throw new CommandError(`Guidance card ${id} does not exist.`, {
    code: 'not_found',
    exitCode: EXIT.notFound,
  });
}
