import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { createSampleRecorder, type SampleRecorder } from './figures.ts';
import { type BenchOptions, type OptionTable, readOptions, toHelp } from './options.ts';
import { type PagePart, wrap, writePart } from './report/performance-page.ts';
import { toMarkdown, toPlainText, toRowTable, toTargetTable } from './report/tables.ts';
import { createTargets, type TargetResult, type Targets } from './report/targets.ts';
import { type BenchStores, openBenchStores } from './stores/bench-store.ts';
import { timeFlush } from './stores/one-commit.ts';
import type { Times } from './time-each.ts';

/** What every measurement needs. */
export interface BenchContext<Options> {
  readonly options: Options;
  readonly recorder: SampleRecorder;
  readonly stores: BenchStores;
  /** Registers what ends with the benchmark, also when it fails or is interrupted. The last one ends first. */
  atEnd(cleanUp: () => Promise<unknown>): void;
}

/** A benchmark: its options, its measurements, and what is expected of them. */
export interface BenchDefinition<Table extends OptionTable> {
  readonly table: Table;
  /** Measures all rows. */
  measure(context: BenchContext<BenchOptions<Table>>): Promise<void>;
  /** Compares what was measured with the targets. */
  judge?(targets: Targets, options: BenchOptions<Table>): TargetResult[];
  /** The part of docs/performance.md that `--write` replaces. */
  readonly page?: {
    readonly part: PagePart;
    /** What the targets and figures are for, in their headings. */
    readonly subject: string;
    /** The command that measures it. */
    readonly command: string;
    /** How it is measured: the first paragraph, and the list after the tables. */
    explain(options: BenchOptions<Table>): { summary: string; method: readonly string[] };
  };
}

/** Runs a benchmark, prints its tables and ends the process: 0, 1 after a failure, 130 after an interruption. */
export async function runBench<Table extends OptionTable>(definition: BenchDefinition<Table>): Promise<void> {
  const options = readOptions(definition.table, process.argv.slice(2), process.env);
  if (options === undefined) return console.log(toHelp(definition.table));
  const stores = openBenchStores(options);
  const recorder = createSampleRecorder();
  const cleanUps = [() => stores.close() as Promise<unknown>];
  const work = async () => {
    const machine = describeMachine(await timeFlush(stores.directory, 1));
    console.log(machine.join('\n'));
    const atEnd = (cleanUp: () => Promise<unknown>) => void cleanUps.unshift(cleanUp);
    await definition.measure({ options, recorder, stores, atEnd });
    report(definition, { options, recorder, machine });
  };
  const cleanUp = async () => {
    for (const end of cleanUps) await end();
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

function report<Table extends OptionTable>(
  { judge, page }: BenchDefinition<Table>,
  parts: { options: BenchOptions<Table>; recorder: SampleRecorder; machine: readonly string[] },
): void {
  const { options, recorder, machine } = parts;
  const rows = toRowTable(recorder);
  const targets = toTargetTable(judge?.(createTargets(recorder), options) ?? []);
  console.log(`\n${toPlainText(rows)}${judge ? `\n\n${toPlainText(targets)}` : ''}`);
  if (!options.write || !page) return;
  const { summary, method } = page.explain(options);
  const sections = [
    wrap(`Written by \`${page.command} -- --write\`. ${summary} Measured on:`),
    machine.map((line) => `- ${line}`).join('\n'),
    `### Targets for ${page.subject}`,
    toMarkdown(targets),
    `### Figures for ${page.subject}`,
    toMarkdown(rows),
    `### Method for ${page.subject}`,
    method.map((item) => wrap(`- ${item}`, '  ')).join('\n'),
    `To repeat it: \`${page.command}\` (\`-- --help\` prints the options).`,
  ];
  writePart(page.part, sections.join('\n\n'));
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
