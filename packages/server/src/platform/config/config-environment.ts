import { OPTION_NAMES, OPTIONS, type Option, type OptionName } from './config-options.ts';

const PREFIX = 'SERVICE_';

type ValueOf<Name extends OptionName> = (typeof OPTIONS)[Name] extends {
  kind: { parse: (text: string) => infer Parsed };
}
  ? Exclude<Parsed, undefined>
  : never;

/** Parsed values by variable. A variable with a default always has a value, unless a problem was recorded for it. */
export type OptionValues = {
  readonly [Name in OptionName]: (typeof OPTIONS)[Name] extends { default: string }
    ? ValueOf<Name>
    : ValueOf<Name> | undefined;
};

/**
 * Reads every variable once and collects all problems instead of stopping at the first. An empty string means not
 * set; nothing is trimmed. If there are problems, the values are incomplete and only good for finding more
 * problems.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): {
  values: OptionValues;
  problems: string[];
} {
  const problems: string[] = [];
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const name of OPTION_NAMES) {
    const { kind, ...option }: Option<unknown> = OPTIONS[name];
    const text = env[name] || option.default;
    if (text === undefined) continue;
    values[name] = kind.parse(text);
    if (values[name] === undefined) problems.push(`${name} is ${kind.show(text)}; expected ${kind.expects}.`);
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX) || name in OPTIONS) continue;
    problems.push(`${name} is not a known variable; did you mean ${nearest(name)}?`);
  }
  return { values: values as OptionValues, problems };
}

function nearest(name: string): string {
  const byDistance = OPTION_NAMES.map((known) => ({
    known,
    distance: editDistance(name.slice(0, 64), known),
  }));
  byDistance.sort((a, b) => a.distance - b.distance);
  return byDistance[0]?.known ?? '';
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
