import { parseArgs } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a whole number from 1 on. @throws Error for anything else */
export function wholeNumber(env: Environment, name: string, otherwise: number): number {
  const text = env[name];
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number from 1.`);
  return Number(text);
}

/** Keeps the names that were given, in their usual order. @throws Error for one that is not known */
function known<Name extends string>(given: readonly string[], names: readonly Name[], flag: string): Name[] {
  const unknown = given.filter((name) => !names.some((other) => other === name));
  if (unknown.length > 0) throw new Error(`${flag} knows ${names.join(', ')}; not ${unknown.join(', ')}.`);
  return names.filter((name) => given.includes(name));
}

/** Reads the arguments that every benchmark knows. Gives undefined when help was asked for. */
export function readArguments<Group extends string, Engine extends string>(
  args: readonly string[],
  { groups, engines }: { groups: readonly Group[]; engines: readonly Engine[] },
): { quick: boolean; write: boolean; groups: Group[]; engines: Engine[] } | undefined {
  const all: { groups: string[]; engines: string[] } = { groups: [...groups], engines: [...engines] };
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: all.groups },
      engine: { type: 'string', multiple: true, default: all.engines },
    },
  });
  if (values.help) return undefined;
  return {
    quick: values.quick,
    write: values.write,
    groups: known(values.only, groups, '--only'),
    engines: known(values.engine, engines, '--engine'),
  };
}
