import { Option } from 'commander';

/** Makes the option that prints for programs. `members` says what they find there: it is part of the interface. */
export function jsonOption(members: string): Option {
  return new Option('--json', `as JSON, for programs: ${members}`);
}

export function toJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
