import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type BenchEngine = (typeof ENGINES)[number];

/** The names of the stores in rows of tables. */
export const STORE_NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const satisfies Record<
  BenchEngine,
  string
>;

/** A number that an environment variable sets. */
interface Setting {
  readonly env: string;
  readonly usual: number;
  /** Default with `--quick`, when it differs. */
  readonly quick?: number;
  readonly help: string;
}

/** The settings of all rows with a timed window. */
export const TIMED_WINDOW = {
  repeats: { env: 'BENCH_REPEATS', usual: 5, quick: 1, help: 'rounds; each figure is their median' },
  seconds: { env: 'BENCH_SECONDS', usual: 4, quick: 1, help: 'length of each timed window' },
  warmUp: { env: 'BENCH_WARM_UP', usual: 3, quick: 1, help: 'seconds of the same work before each window' },
} as const satisfies Record<string, Setting>;

/** What a part of the benchmark can be asked to do. */
export interface OptionTable {
  /** `--only` with this name measures all groups of the part. */
  readonly name: string;
  /** Groups of rows that can be measured alone. Rows that are compared with each other belong to one group. */
  readonly groups: readonly string[];
  /** Empty for a part on one store. */
  readonly engines: readonly BenchEngine[];
  readonly settings: Readonly<Record<string, Setting>>;
  /** Measured only when `--only` names the part or a group. */
  readonly isOnRequest?: boolean;
}

/** The options of a part with this table: a number for each setting, and what all parts share. */
export type BenchOptions<Table extends OptionTable> = Readonly<Record<keyof Table['settings'], number>> & {
  /** Empty when the part is not measured. */
  readonly groups: readonly Table['groups'][number][];
  readonly engines: readonly BenchEngine[];
  readonly isQuick: boolean;
};

/** The command line, as all parts of a benchmark share it. */
export interface Choices {
  readonly only: readonly string[] | undefined;
  readonly engines: readonly BenchEngine[];
  readonly isQuick: boolean;
  /** Writes the sections of docs/performance.md that belong to the measured parts. */
  readonly write: boolean;
}

/** Returns undefined when help was requested. @throws Error for an unknown argument */
export function readChoices(tables: readonly OptionTable[], args: readonly string[]): Choices | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      engine: { type: 'string', multiple: true, default: [...ENGINES] as string[] },
    },
  });
  if (values.help) return undefined;
  const names = tables.flatMap(({ name, groups }) => [name, ...groups]);
  return {
    only: values.only && choose(values.only, names, '--only'),
    engines: choose(values.engine, ENGINES, '--engine'),
    isQuick: values.quick,
    write: values.write,
  };
}

/** @throws Error for an invalid value */
export function toOptions<Table extends OptionTable>(
  { name, groups, engines, settings, isOnRequest = false }: Table,
  choices: Choices,
  env: Readonly<Record<string, string | undefined>>,
): BenchOptions<Table> {
  const { only, isQuick } = choices;
  const isWhole = only ? only.includes(name) : !isOnRequest;
  const numbers = Object.entries(settings).map(([setting, { env: variable, usual, quick }]) => [
    setting,
    toCount(variable, env[variable]) ?? (isQuick ? (quick ?? usual) : usual),
  ]);
  return {
    ...Object.fromEntries(numbers),
    groups: isWhole ? groups : groups.filter((group) => only?.includes(group)),
    engines: engines.filter((engine) => choices.engines.includes(engine)),
    isQuick,
  } as BenchOptions<Table>;
}

/** Returns the help of a benchmark: its own text, then the groups and variables of its parts. */
export function toHelp(help: string, tables: readonly OptionTable[]): string {
  const groups = tables.map(({ name, groups, isOnRequest }): [string, string] => [
    name,
    groups.join(', ') + (isOnRequest ? ' (only on request)' : ''),
  ]);
  const settings = new Map<string, string>(
    tables.flatMap((table) =>
      Object.values(table.settings).map(({ env, usual, help }) => [`${env} (${usual})`, help] as const),
    ),
  );
  settings.set(`BENCH_DIR (${tmpdir()})`, 'where stores are created; must be on a disk');
  return [
    help,
    `--only may be repeated. Its values are:\n${toLines(groups)}`,
    `Environment variables:\n${toLines([...settings])}\n`,
  ].join('\n\n');
}

function toLines(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}

function toCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number of at least 1.`);
  return Number(text);
}

/** Returns the chosen names in the order of the table. */
function choose<Name extends string>(
  chosen: readonly string[],
  names: readonly Name[],
  flag: string,
): Name[] {
  const unknown = chosen.filter((name) => !names.some((other) => other === name));
  if (unknown.length > 0) throw new Error(`${flag} must be ${names.join(', ')}; not ${unknown.join(', ')}.`);
  return names.filter((name) => chosen.includes(name));
}
