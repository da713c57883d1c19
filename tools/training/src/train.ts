import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadModels, type ModelLicence } from '@tps/detection';
import { encodeModels } from '@tps/detection/training';
import { logProgress, runCommand, UsageError } from './command-line.ts';
import { formatTables } from './measure/format-evaluation.ts';
import { loadRows } from './rows/load-rows.ts';
import { trainModels } from './train-models.ts';
import { ablateUrlModel } from './url/ablate-url-model.ts';
import { findCutoffs } from './url/url-row.ts';
import { writeModelCard } from './write-model-card.ts';

const HELP = `Trains the URL model and the text model, and writes them with their model card.

  npm run train -- --data DIR --licence redistributable|any [--out DIR] [--seed N] [--holdout-months N] [--ablation]

  --data DIR            rows in .jsonl, .jsonl.gz or .jsonl.xz: {url or text, label, source, date}
  --licence             redistributable: only sources whose terms permit redistribution of the model; any: all sources
  --out DIR             output folder (default for redistributable: packages/detection/models; required for any)
  --seed N              seed for the order of training and for synthesized rows (default 1)
  --ablation            writes no model, but trains the URL model again without each family of features and of data,
                        and prints the recall that is lost without it (13 trainings of about a minute each)
  --holdout-months N    newest months of each dated source of links that are kept for tests (default 2)

The same data and seed result in the same bytes.

  npm run train -- --data ~/scan-data --licence redistributable
  npm run train -- --data ~/scan-data --licence any --out /var/lib/tps/models
  npm run train -- --data ~/scan-data --licence redistributable --ablation
`;
const SHIPPED = fileURLToPath(new URL('../../../packages/detection/models', import.meta.url));
const LICENCES: readonly ModelLicence[] = ['redistributable', 'any'];
const MAX_FILE_BYTES = 600_000;

await runCommand(async () => {
  const options = readOptions();
  if (!options) return 0;
  const { data, licence, out, seed, holdoutMonths } = options;
  logProgress(`Reading rows from ${data}`);
  const rows = await loadRows(data);
  if (options.ablation) {
    const table = ablateUrlModel(rows, { licence, seed, cutoffs: findCutoffs(rows, holdoutMonths) });
    process.stdout.write(`${formatTables([table], 2)}\n`);
    return 0;
  }
  logProgress(`Training on ${rows.length} distinct rows (licence: ${licence})`);
  const file = encodeModels(trainModels(rows, { licence, seed, holdoutMonths }));
  if (file.length > MAX_FILE_BYTES)
    throw new Error(`the models have ${file.length} bytes; the limit is ${MAX_FILE_BYTES}`);
  const models = loadModels(file);
  logProgress('Evaluating');
  const card = writeModelCard(rows, models, { seed, holdoutMonths, bytes: file.length });
  await mkdir(out, { recursive: true });
  await writeFile(join(out, `${licence}.tpsm`), file);
  await writeFile(join(out, 'MODEL-CARD.md'), card);
  logProgress(`Wrote ${models.version} (${file.length} bytes) and its card to ${out}`);
  return 0;
});

function readOptions() {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      licence: { type: 'string' },
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      'holdout-months': { type: 'string', default: '2' },
      ablation: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  const licence = LICENCES.find((known) => known === values.licence);
  if (values.data === undefined) throw new UsageError(`--data is required.\n\n${HELP}`);
  if (!licence) throw new UsageError(`--licence must be redistributable or any.\n\n${HELP}`);
  if (licence === 'any' && values.out === undefined && !values.ablation) {
    throw new UsageError(
      '--licence any requires --out DIR: such a model must not be shipped with the package.',
    );
  }
  return {
    data: values.data,
    licence,
    out: values.out ?? SHIPPED,
    ablation: values.ablation,
    seed: toCount('--seed', values.seed),
    holdoutMonths: toCount('--holdout-months', values['holdout-months']),
  };
}

function toCount(option: string, value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value))
    throw new UsageError(`${option} must be a whole number from 1 to 999999.`);
  return Number(value);
}
