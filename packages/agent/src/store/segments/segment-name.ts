/** Events of high and critical severity, all other events, and the journal of what became of both. */
export type Lane = 'priority' | 'ordinary' | 'journal';

/** The lanes' names on disk. They are authenticated with each record, so that they cannot change. */
const PREFIXES: Readonly<Record<Lane, string>> = {
  priority: 'grave',
  ordinary: 'ordinary',
  journal: 'journal',
};
const FILE_NAME = /^([a-z]+)-(\d{8,15})\.(log|key)$/;

/** Returns the name of a segment. Counters increase across all lanes and are not reused while anything refers to them. */
export function segmentName(lane: Lane, counter: number): string {
  return `${PREFIXES[lane]}-${String(counter).padStart(8, '0')}`;
}

export function logFile(segment: string): string {
  return `${segment}.log`;
}

export function keyFile(segment: string): string {
  return `${segment}.key`;
}

export interface ParsedFileName {
  readonly segment: string;
  readonly lane: Lane;
  readonly counter: number;
  readonly part: 'log' | 'key';
}

/** Parses the name of a segment's file; undefined for any other file. */
export function parseFileName(name: string): ParsedFileName | undefined {
  const [, prefix, digits = '', part] = FILE_NAME.exec(name) ?? [];
  const lane = (Object.keys(PREFIXES) as Lane[]).find((each) => PREFIXES[each] === prefix);
  const counter = Number(digits);
  if (lane === undefined || segmentName(lane, counter) !== `${prefix}-${digits}`) {
    return undefined;
  }
  return { segment: `${prefix}-${digits}`, lane, counter, part: part as 'log' | 'key' };
}

/** Returns the counter in the name of a segment. */
export function parseCounter(segment: string): number {
  return parseFileName(logFile(segment))?.counter ?? 0;
}
