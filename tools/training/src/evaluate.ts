import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadModels } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';
import { logProgress, runCommand } from './command-line.ts';
import { compareWithSpamScanner } from './compare-with-spamscanner.ts';
import { evaluateModels } from './evaluate-models.ts';
import {
  countFloors,
  type Floors,
  findShortfalls,
  parseFloors,
  selectEverydayFloors,
} from './measure/floors.ts';
import { formatEvaluation, formatTables } from './measure/format-evaluation.ts';
import { loadRows } from './rows/load-rows.ts';

const HELP = `Evaluates models on rows that they did not learn from.

  npm run evaluate -- [--data DIR] [--model FILE] [--json] [--floors FILE] [--all] [--peer DIR]

  --data DIR      rows in .jsonl, .jsonl.gz or .jsonl.xz: {url or text, label, source, date}; by default only the project's own
                  everyday texts, which are part of every evaluation and of no training
  --model FILE    the models to evaluate (default: the shipped models)
  --json          prints the figures as one JSON object, with their confidence intervals of 95 %
  --floors FILE   exits with 1 and lists each figure outside the limits in the file; without --data, limits that need data
                  are skipped
  --all           includes rows that the models learned from
  --peer DIR      compares with the npm package spamscanner, installed in DIR, on the same rows

  npm run evaluate
  npm run evaluate -- --data ~/scan-data
  npm run evaluate -- --data ~/newer-months --all --json
`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      model: { type: 'string' },
      json: { type: 'boolean', default: false },
      floors: { type: 'string' },
      all: { type: 'boolean', default: false },
      peer: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const models = values.model === undefined ? loadShippedModels() : loadModels(readFileSync(values.model));
  const floors = values.floors === undefined ? undefined : readFloors(values.floors, values.data);
  logProgress(`Evaluating ${models.version} on ${describeRows(values.data, values.all)}`);
  const rows = await loadRows(values.data);
  const evaluation = evaluateModels(rows, { models, all: values.all });
  const { figures, intervals, microseconds } = evaluation;
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ model: models.version, all: values.all, figures, intervals, microseconds }, null, 2)}\n`
      : `${formatEvaluation(evaluation)}\n`,
  );
  if (values.peer !== undefined) {
    const table = await compareWithSpamScanner(rows, { models, folder: values.peer });
    (values.json ? process.stderr : process.stdout).write(`\n${formatTables([table], 2)}\n`);
  }
  const shortfalls = floors ? findShortfalls(figures, floors) : [];
  for (const shortfall of shortfalls) logProgress(shortfall);
  return shortfalls.length === 0 ? 0 : 1;
});

function describeRows(data: string | undefined, all: boolean): string {
  if (data === undefined) return "the project's everyday texts (no --data)";
  return `${data} and the project's everyday texts, ${all ? 'including' : 'without'} rows of its training`;
}

/** Reads the floors. Without data, floors that need data are skipped, and the log says so. */
function readFloors(file: string, data: string | undefined): Floors {
  const floors = parseFloors(readFileSync(file, 'utf8'));
  if (data !== undefined) return floors;
  const measured = selectEverydayFloors(floors);
  logProgress(`Skipped ${countFloors(floors) - countFloors(measured)} floors that need --data`);
  return measured;
}
