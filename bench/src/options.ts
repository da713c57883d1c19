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

/** What a benchmark can be asked to do. */
export interface OptionTable {
  /** Title, commands and examples. The environment variables are added. */
  readonly help: string;
  /** Groups of rows that can be measured alone. Rows that are compared with each other belong to one group. */
  readonly groups: readonly string[];
  /** Empty for a benchmark on one store. */
  readonly engines: readonly BenchEngine[];
  readonly settings: Readonly<Record<string, Setting>>;
}

/** The options of a benchmark with this table: a number for each setting, and what all benchmarks share. */
export type BenchOptions<Table extends OptionTable> = Readonly<Record<keyof Table['settings'], number>> & {
  readonly groups: readonly Table['groups'][number][];
  readonly engines: readonly BenchEngine[];
  readonly isQuick: boolean;
  /** Writes the part of docs/performance.md that belongs to this benchmark. */
  readonly write: boolean;
  /** Where stores are created. Must be on a disk: on a file system in memory a flush costs nothing. */
  readonly directory: string;
};

/** Returns undefined when help was requested. @throws Error for an unknown argument or an invalid value */
export function readOptions<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): BenchOptions<Table> | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [...table.groups] },
      engine: { type: 'string', multiple: true, default: [...table.engines] as string[] },
    },
  });
  if (values.help) return undefined;
  const settings = Object.entries(table.settings).map(([name, { env: variable, usual, quick }]) => [
    name,
    toCount(variable, env[variable]) ?? (values.quick ? (quick ?? usual) : usual),
  ]);
  return {
    ...Object.fromEntries(settings),
    groups: choose(values.only, table.groups, '--only'),
    engines: choose(values.engine, table.engines, '--engine'),
    isQuick: values.quick,
    write: values.write,
    directory: env.BENCH_DIR ?? tmpdir(),
  } as BenchOptions<Table>;
}

export function toHelp({ help, settings }: OptionTable): string {
  const lines = [
    ...Object.values(settings).map(({ env, usual, help }) => [`${env} (${usual})`, help]),
    [`BENCH_DIR (${tmpdir()})`, 'where stores are created; must be on a disk'],
  ];
  const width = Math.max(...lines.map(([name = '']) => name.length));
  const variables = lines.map(([name = '', text]) => `  ${name.padEnd(width)}  ${text}`);
  return `${help}\n\nEnvironment variables:\n${variables.join('\n')}\n`;
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
