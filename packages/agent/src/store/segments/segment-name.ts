/** High and critical events, all other events, and what became of both. */
export type Lane = 'grave' | 'ordinary' | 'journal';

const FILE_NAME = /^(grave|ordinary|journal)-(\d{8,15})\.(log|key)$/;

/** Names one segment. Counters rise over all lanes and are not used twice while anything remembers them. */
export function segmentName(lane: Lane, counter: number): string {
  return `${lane}-${String(counter).padStart(8, '0')}`;
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

/** Reads the name of a segment's file; undefined for any other file. */
export function parseFileName(name: string): ParsedFileName | undefined {
  const [, lane, digits = '', part] = FILE_NAME.exec(name) ?? [];
  const counter = Number(digits);
  if (lane === undefined || segmentName(lane as Lane, counter) !== `${lane}-${digits}`) {
    return undefined;
  }
  return { segment: `${lane}-${digits}`, lane: lane as Lane, counter, part: part as 'log' | 'key' };
}

export function counterOf(segment: string): number {
  return parseFileName(logFile(segment))?.counter ?? 0;
}
