import { readFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { createSampleRecorder, type SampleRecorder } from './figures.ts';
import {
  type BenchOptions,
  type Choices,
  type OptionTable,
  readChoices,
  toHelp,
  toOptions,
} from './options.ts';
import { type PagePart, wrap, writePart } from './report/performance-page.ts';
import { type Table, toMarkdown, toPlainText, toRowTable, toTargetTable } from './report/tables.ts';
import { createTargets, type TargetResult, type Targets } from './report/targets.ts';
import { type BenchStores, openBenchStores } from './stores/bench-store.ts';
import { timeFlush } from './stores/one-commit.ts';
import type { Times } from './time-each.ts';

/** What every measurement needs. */
export interface BenchContext<Options> {
  readonly options: Options;
  readonly recorder: SampleRecorder;
  readonly stores: BenchStores;
  /** Registers a cleanup for the end of the part, also if it fails or is interrupted. Cleanups run last to first. */
  atEnd(cleanUp: () => Promise<unknown>): void;
}

/** A part of the benchmark: its options, its measurements, and what is expected of them. */
interface PartDefinition<T extends OptionTable> {
  readonly table: T;
  /** Measures all rows. */
  measure(context: BenchContext<BenchOptions<T>>): Promise<void>;
  /** Compares what was measured with the targets. */
  judge?(targets: Targets, options: BenchOptions<T>): TargetResult[];
  /** Lays the rows out. By default every figure has a column. */
  toTable?(recorder: SampleRecorder): Table;
  /** The section of docs/performance.md that `--write` replaces. */
  readonly page?: {
    readonly part: PagePart;
    /** What the targets and figures are for, in their headings. */
    readonly subject: string;
    /** The command that measures it. */
    readonly command: string;
    /** How it is measured: the first paragraph, and the list after the tables. */
    explain(options: BenchOptions<T>): { summary: string; method: readonly string[] };
  };
}

/** What a part has measured. */
interface PartReport {
  readonly figures: Table;
  readonly targets: readonly TargetResult[];
  /** Replaces the section of the part. @param machine describes what the figures were measured on */
  write(machine: readonly string[]): void;
}

/** A part of the benchmark that can be run with others. */
export interface BenchPart {
  readonly table: OptionTable;
  /** Returns undefined when no group of the part was chosen. */
  run(run: Omit<BenchContext<Choices>, 'recorder'>): Promise<PartReport | undefined>;
}

export function createPart<T extends OptionTable>(definition: PartDefinition<T>): BenchPart {
  const { table, measure, judge, toTable = toRowTable, page } = definition;
  return {
    table,
    async run({ options: choices, ...context }) {
      const options = toOptions(table, choices, process.env);
      if (options.groups.length === 0) return undefined;
      const recorder = createSampleRecorder();
      await measure({ ...context, options, recorder });
      const figures = toTable(recorder);
      const targets = judge?.(createTargets(recorder), options) ?? [];
      const isWhole =
        options.groups.length === table.groups.length && options.engines.length === table.engines.length;
      const write = (machine: readonly string[]) => {
        if (!page) return;
        if (!isWhole)
          return console.log(`\n${table.name}: not written, because it was not measured as a whole`);
        writePart(page.part, toSection(page, { ...page.explain(options), figures, targets, machine }));
      };
      return { figures, targets, write };
    },
  };
}

/** Runs a benchmark, prints its tables and ends the process: 0, 1 after a failure, 130 after an interruption. */
export async function runBench(help: string, parts: readonly BenchPart[]): Promise<void> {
  const tables = parts.map(({ table }) => table);
  const choices = readChoices(tables, process.argv.slice(2));
  if (choices === undefined) return console.log(toHelp(help, tables));
  const stores = openBenchStores({ directory: process.env.BENCH_DIR ?? tmpdir() });
  const cleanUps: (() => Promise<unknown>)[] = [];
  const endPart = async () => {
    for (const end of cleanUps.splice(0)) await end();
  };
  const work = async () => {
    const machine = describeMachine(await timeFlush(stores.directory, 1));
    console.log(machine.join('\n'));
    const atEnd = (cleanUp: () => Promise<unknown>) => void cleanUps.unshift(cleanUp);
    const reports: PartReport[] = [];
    for (const part of parts) {
      const report = await part.run({ options: choices, stores, atEnd });
      if (report) reports.push(report);
      if (choices.write) report?.write(machine);
      await endPart();
    }
    for (const { figures } of reports) console.log(`\n${toPlainText(figures)}`);
    const targets = reports.flatMap((report) => report.targets);
    if (targets.length > 0) console.log(`\n${toPlainText(toTargetTable(targets))}`);
  };
  const cleanUp = async () => {
    await endPart();
    await stores.close();
  };
  await runUntilInterrupted(work, cleanUp);
}

/** Repeats all rows in each round, so that a slow minute of the machine affects both sides of a ratio. */
export async function repeatRounds(repeats: number, measureRound: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= repeats; round += 1) {
    console.log(`\nround ${round} of ${repeats}`);
    await measureRound();
  }
}

/** Describes the machine that the figures were measured on. */
function describeMachine(flush: Times): string[] {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const virtual = readFileSync('/proc/cpuinfo', 'utf8').includes('hypervisor') ? ', a virtual machine' : '';
  return [
    `${model}, ${cpus().length} cores, ${gigabytes} GB of memory, Linux ${release()}${virtual}`,
    `Node ${process.versions.node} (V8 ${process.versions.v8}, OpenSSL ${process.versions.openssl})`,
    `appending 4 KB and fdatasync: ${flush.p50Ms.toFixed(2)} ms (p99 ${flush.p99Ms.toFixed(2)} ms)`,
  ];
}

function toSection(
  { subject, command }: { subject: string; command: string },
  parts: Omit<PartReport, 'write'> & {
    readonly summary: string;
    readonly method: readonly string[];
    readonly machine: readonly string[];
  },
): string {
  const { summary, method, machine, figures, targets } = parts;
  const judged = [`### Targets for ${subject}`, toMarkdown(toTargetTable(targets))];
  return [
    wrap(`Written by \`${command} -- --write\`. ${summary} Measured on:`),
    machine.map((line) => `- ${line}`).join('\n'),
    ...(targets.length > 0 ? judged : []),
    `### Figures for ${subject}`,
    toMarkdown(figures),
    `### Method for ${subject}`,
    method.map((item) => wrap(`- ${item}`, '  ')).join('\n'),
    `To repeat it: \`${command}\` (\`-- --help\` prints the options).`,
  ].join('\n\n');
}

/** Works until it is done or SIGINT or SIGTERM arrives, then cleans up and ends this process with its children. */
async function runUntilInterrupted(work: () => Promise<void>, cleanUp: () => Promise<void>): Promise<never> {
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve('interrupted'));
  });
  let exitCode = 0;
  try {
    if ((await Promise.race([work(), interrupted])) === 'interrupted') {
      exitCode = 130;
      console.error('\ninterrupted: cleaning up');
    }
  } catch (error) {
    exitCode = 1;
    console.error(error);
  }
  try {
    await cleanUp();
  } catch (error) {
    exitCode ||= 1;
    console.error(error);
  }
  process.exit(exitCode);
}
