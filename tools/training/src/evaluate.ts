import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadModels } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';
import { logProgress, runCommand } from './command-line.ts';
import { compareWithSpamScanner } from './compare-with-spamscanner.ts';
import { evaluateModels } from './evaluate-models.ts';
import { countFloors, type Floors, findShortfalls, floorsOfEveryday, parseFloors } from './measure/floors.ts';
import { formatEvaluation, formatTables } from './measure/format-evaluation.ts';
import { loadRows } from './rows/load-rows.ts';

const HELP = `Measures models on rows they did not learn from.

  npm run evaluate -- [--data DIR] [--model FILE] [--json] [--floors FILE] [--all] [--peer DIR]

  --data DIR      rows in .jsonl, .jsonl.gz or .jsonl.xz: {url or text, label, source, date}; without it only the texts of daily
                  life are measured that the project brings along, which are part of every evaluation, and of no training
  --model FILE    the models to measure (those that are shipped)
  --json          prints the figures as JSON, one object
  --floors FILE   ends with 1 and names each figure that is worse than the file allows; without --data, floors of other rows
                  are skipped
  --all           rows the models learnt from too
  --peer DIR      beside the npm package spamscanner, installed in DIR, on the same rows in the same run

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
  logProgress(`Measuring ${models.version} on ${describeRows(values.data, values.all)}`);
  const rows = await loadRows(values.data);
  const evaluation = evaluateModels(rows, { models, all: values.all });
  const { figures, microseconds } = evaluation;
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ model: models.version, all: values.all, figures, microseconds }, null, 2)}\n`
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
  if (data === undefined) return "this project's texts of daily life alone: no --data";
  return `${data} and this project's texts of daily life, ${all ? 'also on' : 'without'} what it learnt from`;
}

/** Reads floors; those that nothing can be said of without data are left out, aloud. */
function readFloors(file: string, data: string | undefined): Floors {
  const floors = parseFloors(readFileSync(file, 'utf8'));
  if (data !== undefined) return floors;
  const measured = floorsOfEveryday(floors);
  logProgress(`Without --data ${countFloors(floors) - countFloors(measured)} floors are skipped`);
  return measured;
}
