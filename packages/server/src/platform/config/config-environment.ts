import { editDistance } from '../closest-name.ts';
import {
  fileVariableOf,
  OPTION_NAMES,
  OPTIONS,
  type Option,
  type OptionName,
  VARIABLE_NAMES,
} from './config-options.ts';
import { readSecretFile } from './secret-file.ts';

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

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong, which keeps the service from starting, and what only deserves a warning. None contains a secret. */
interface Findings {
  readonly problems: string[];
  readonly warnings: string[];
}

/**
 * Reads every variable and every file of a secret once, and collects all problems instead of stopping at the first. An
 * empty string means not set; nothing is trimmed. If there are problems, the values are incomplete and only good for
 * finding more problems.
 */
export function readEnvironment(env: Environment): Findings & { values: OptionValues } {
  const findings: Findings = { problems: [], warnings: [] };
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const name of OPTION_NAMES) values[name] = readOption(name, env, findings);
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX) || VARIABLE_NAMES.includes(name)) continue;
    findings.problems.push(`${name} is not a known variable; did you mean ${nearest(name)}?`);
  }
  return { values: values as OptionValues, ...findings };
}

/** Whether a variable, or the one of its file, is set. */
export function isSet(name: OptionName, env: Environment): boolean {
  const fileVariable = fileVariableOf(name);
  return Boolean(env[name] || (fileVariable && env[fileVariable]));
}

function readOption(name: OptionName, env: Environment, findings: Findings): unknown {
  const { kind, ...option }: Option<unknown> = OPTIONS[name];
  const fileVariable = fileVariableOf(name);
  const file = fileVariable && isRead(name, env) && env[fileVariable];
  if (fileVariable && file) {
    if (!env[name]) return readFileOption({ fileVariable, file }, kind, findings);
    findings.problems.push(`${name} and ${fileVariable} are both set; set only one of them.`);
    return undefined;
  }
  const text = (isRead(name, env) && env[name]) || option.default;
  if (text === undefined) return undefined;
  const value = kind.parse(text);
  if (value === undefined) findings.problems.push(`${name} is ${kind.show(text)}; expected ${kind.expects}.`);
  return value;
}

function readFileOption(
  { fileVariable, file }: { fileVariable: string; file: string },
  kind: Option<unknown>['kind'],
  { problems, warnings }: Findings,
): unknown {
  const named = `${fileVariable}: the file ${file}`;
  try {
    const { text, isOpenToOthers } = readSecretFile(file);
    if (isOpenToOthers) {
      warnings.push(`${named} may be read or changed by every user of this machine; run: chmod o= ${file}`);
    }
    const value = kind.parse(text);
    const hint = text.trim() === text ? '' : ' It begins or ends with white space.';
    if (value === undefined)
      problems.push(`${named} does not contain what is expected: ${kind.expects}.${hint}`);
    return value;
  } catch (error) {
    problems.push(`${named} ${(error as Error).message}.`);
    return undefined;
  }
}

/** The variables of OpenTelemetry may be set for other programs: they concern the service only with an endpoint. */
function isRead(name: OptionName, env: Environment): boolean {
  return name.startsWith(PREFIX) || Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT);
}

function nearest(name: string): string {
  const byDistance = VARIABLE_NAMES.map((known) => ({
    known,
    distance: editDistance(name.slice(0, 64), known),
  }));
  byDistance.sort((a, b) => a.distance - b.distance);
  return byDistance[0]?.known ?? '';
}
