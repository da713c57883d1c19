import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadModels } from '#detection/model/model-file.ts';
import { loadShippedModels } from '#detection/node.ts';
import { runCommand, say, UsageError } from './command-line.ts';
import { evaluateModels } from './evaluate-models.ts';
import { findShortfalls, parseFloors } from './measure/floors.ts';
import { formatEvaluation, formatTables } from './measure/format-evaluation.ts';
import { compareWithSpamScanner } from './peer-spamscanner.ts';
import { loadRows } from './rows/load-rows.ts';

const HELP = `Measures models on rows they did not learn from.

  npm run evaluate -- --data DIR [--model FILE] [--json] [--floors FILE] [--all] [--peer DIR]

  --data DIR      rows in .jsonl, .jsonl.gz or .jsonl.xz: {url or text, label, source, date}
  --model FILE    the models to measure (those that are shipped)
  --json          prints the figures as JSON, one object
  --floors FILE   ends with 1 and names each figure that is worse than the file allows
  --all           rows the models learnt from too
  --peer DIR      beside the npm package spamscanner, installed in DIR, on the same rows in the same run

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
  if (values.data === undefined) throw new UsageError(`--data is missing.\n\n${HELP}`);
  const models = values.model === undefined ? loadShippedModels() : loadModels(readFileSync(values.model));
  const floors = values.floors === undefined ? undefined : parseFloors(readFileSync(values.floors, 'utf8'));
  say(
    `Measuring ${models.version} on ${values.data}${values.all ? ', also on what it learnt from' : ', without what it learnt from'}`,
  );
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
  for (const shortfall of shortfalls) say(shortfall);
  return shortfalls.length === 0 ? 0 : 1;
});
