import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type NewIndicator, NewIndicator as NewIndicatorSchema } from '@tps/contract';
import { countOf } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Database } from '../../database/index.ts';
import { COMMAND_LINE } from '../../features/audit/index.ts';
import {
  type ImportResult,
  renewBundleKey,
  toIndicatorKey,
  toKeyedIndicators,
} from '../../features/indicators/index.ts';
import { IndicatorService } from '../../features/indicators/indicator-service.ts';
import { systemClock } from '../../platform/clock.ts';
import { runThenPause } from '../../platform/concurrency/run-then-pause.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import { compileBodyValidator } from '../../platform/http/validation.ts';
import { NO_TENANT } from '../../platform/tenant-id.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { withStore } from './with-store.ts';

/** Indicators per transaction: small enough not to delay events. */
const INDICATORS_PER_IMPORT = 1000;
const MAX_LINE_LENGTH = 16_384;

/** Adds the commands for indicators that hold for all tenants. */
export function addIndicatorCommands(program: Command, context: CommandContext): void {
  const indicators = program
    .command('indicators')
    .description('import and remove indicators that hold for all tenants')
    .addHelpText(
      'after',
      '\nExamples:\n  tps indicators import feed.ndjson --source own-list --replace\n  tps indicators remove --source own-list',
    );
  addImport(indicators, context);
  addRemove(indicators, context);
  addRenewKey(indicators, context);
}

function addImport(indicators: Command, { env, stdout }: CommandContext): void {
  indicators
    .command('import <file>')
    .description(
      'import indicators from a file: one JSON object per line, with the members of POST /indicators',
    )
    .requiredOption('--source <name>', 'name of the source', toSource)
    .option('--replace', 'remove the other indicators of the source')
    .addOption(jsonOption('source, added, updated, unchanged, removed, indicators'))
    .addHelpText('after', '\nExamples:\n  tps indicators import feed.ndjson --source own-list --replace')
    .action(async (file: string, { source, replace = false, json }: ImportFlags) => {
      await withStore(env, async ({ database }) => {
        const service = new IndicatorService({ clock: systemClock });
        const { importId: _id, ...totals } = await importAll(database, service, { file, source, replace });
        const { added, updated, unchanged, removed, indicators } = totals;
        stdout(
          json
            ? toJsonText({ source, added, updated, unchanged, removed, indicators })
            : `${source} for all tenants: ${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed; ${indicators} in total`,
        );
      });
    });
}

interface ImportFlags {
  readonly source: string;
  readonly replace?: boolean;
  readonly json?: true;
}

/** One import in several transactions. An interrupted import has removed nothing and can be started again. */
async function importAll(
  database: Database,
  service: IndicatorService,
  { file, source, replace }: { file: string; source: string; replace: boolean },
): Promise<ImportResult> {
  const change = { owner: NO_TENANT, source, actor: COMMAND_LINE, requestId: null } as const;
  let totals: ImportResult | undefined;
  for await (const { part, isLast } of readParts(file)) {
    const indicators = await toKeyedIndicators(source, part);
    const outcome = await runThenPause(() =>
      database.transaction((tx) =>
        service.import(tx, change, { importId: totals?.importId, replace: replace && isLast, indicators }),
      ),
    );
    totals = totals ? addUp(totals, outcome) : outcome;
  }
  if (!totals) throw new Error('The file contains no indicators: nothing was changed.');
  return totals;
}

function addUp(before: ImportResult, outcome: ImportResult): ImportResult {
  return {
    ...outcome,
    added: before.added + outcome.added,
    updated: before.updated + outcome.updated,
    unchanged: before.unchanged + outcome.unchanged,
    removed: before.removed + outcome.removed,
  };
}

async function* readParts(file: string): AsyncGenerator<{ part: NewIndicator[]; isLast: boolean }> {
  let part: NewIndicator[] = [];
  for await (const indicator of readIndicators(file)) {
    if (part.length === INDICATORS_PER_IMPORT) {
      yield { part, isLast: false };
      part = [];
    }
    part.push(indicator);
  }
  if (part.length > 0) yield { part, isLast: true };
}

async function* readIndicators(file: string): AsyncGenerator<NewIndicator> {
  const check = compileBodyValidator(NewIndicatorSchema);
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.length > MAX_LINE_LENGTH) throw new Error(`Line ${number} is too long.`);
    yield check(parse(line, number));
  }
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's message would quote the line.
    throw new Error(`Line ${number} is not valid JSON.`);
  }
}

function addRemove(indicators: Command, { env, stdout }: CommandContext): void {
  indicators
    .command('remove')
    .description('remove all indicators of a source for all tenants, or one of them')
    .requiredOption('--source <name>', 'name of the source', toSource)
    .option('--type <type>', 'type of the one indicator to remove')
    .option('--value <value>', 'value of the one indicator to remove')
    .addOption(jsonOption('source, removed'))
    .addHelpText(
      'after',
      '\nExamples:\n  tps indicators remove --source own-list\n  tps indicators remove --source own-list --type domain --value parcel-desk.example',
    )
    .action(
      ({ source, type, value, json }: { source: string; type?: string; value?: string; json?: true }) => {
        if ((type === undefined) !== (value === undefined))
          throw new InvalidArgumentError('--type and --value must be used together.');
        const key = type === undefined || value === undefined ? undefined : toIndicatorKey(type, value);
        return withStore(env, async ({ database }) => {
          const service = new IndicatorService({ clock: systemClock });
          const change = { owner: NO_TENANT, source, actor: COMMAND_LINE, requestId: null } as const;
          const { removed } = await database.transaction((tx) =>
            key ? service.removeOne(tx, change, key) : service.removeSource(tx, change),
          );
          stdout(
            json ? toJsonText({ source, removed }) : `${countOf(removed, 'indicator')} of ${source} removed`,
          );
        });
      },
    );
}

function addRenewKey(indicators: Command, { env, stdout }: CommandContext): void {
  indicators
    .command('renew-key')
    .description('create a new key for signing bundles; restart the service on all nodes afterwards')
    .addOption(jsonOption('keyid'))
    .addHelpText('after', '\nExamples:\n  tps indicators renew-key')
    .action(({ json }: { json?: true }) =>
      withStore(env, async ({ database, config }) => {
        const secrets = new SecretBox(config.secrets);
        const keyid = await renewBundleKey({ database, secrets, clock: systemClock });
        stdout(json ? toJsonText({ keyid }) : `${keyid} signs bundles after the next start of the service`);
      }),
    );
}

function toSource(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Use 1 to 64 letters, digits or . _ -, starting with a letter or digit.');
}
