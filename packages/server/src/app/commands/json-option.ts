import { Option } from 'commander';

/** Creates the `--json` option. `members` lists what the JSON contains: it is part of the interface. */
export function jsonOption(members: string): Option {
  return new Option('--json', `print JSON for programs: ${members}`);
}

export function toJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
