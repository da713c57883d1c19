/** A place in a hash chain. */
export interface ChainPoint {
  readonly position: number;
  /** Lower-case hex. */
  readonly hash: string;
}

/** The ends of a tenant's chains, to be kept outside the store. */
export interface Checkpoint {
  /** Empty for the audit log that belongs to no tenant. */
  readonly tenantId: string;
  readonly feed: ChainPoint | undefined;
  readonly audit: ChainPoint | undefined;
}

const LINE = /^checkpoint (\S+)((?: (?:feed|audit) [0-9]{1,15} [0-9a-f]{64})*)$/;
const POINT = /(feed|audit) (\d+) ([0-9a-f]{64})/g;
/** Stands for the audit log that belongs to no tenant. */
const OPERATOR = 'operator';

/** Formats a checkpoint as a line that `parseCheckpoints` reads. */
export function formatCheckpoint({ tenantId, feed, audit }: Checkpoint): string {
  const format = (name: string, point: ChainPoint | undefined) =>
    point === undefined ? [] : [`${name} ${point.position} ${point.hash}`];
  return [
    `checkpoint ${tenantId === '' ? OPERATOR : tenantId}`,
    ...format('feed', feed),
    ...format('audit', audit),
  ].join(' ');
}

/** Reads the checkpoints in the output of `tps verify`; other lines are ignored. @throws Error if there are none */
export function parseCheckpoints(text: string): Checkpoint[] {
  const checkpoints = text.split('\n').flatMap((line): Checkpoint[] => {
    const [, name = '', points = ''] = LINE.exec(line.trim()) ?? [];
    if (name === '') return [];
    const found = new Map(
      [...points.matchAll(POINT)].map(([, chain, position, hash = '']) => [
        chain,
        { position: Number(position), hash },
      ]),
    );
    const tenantId = name === OPERATOR ? '' : name;
    return [{ tenantId, feed: found.get('feed'), audit: found.get('audit') }];
  });
  if (checkpoints.length === 0) throw new Error('The file has no line that begins with "checkpoint".');
  return checkpoints;
}

/** Explains how a chain differs from a checkpoint at its position; `actual` is undefined if it does not reach that far. */
export function whyNotExpected(expected: ChainPoint, actual: Uint8Array | undefined): string | undefined {
  if (actual === undefined) return `chain does not reach position ${expected.position} of the checkpoint`;
  return Buffer.from(actual).toString('hex') === expected.hash
    ? undefined
    : `chain differs from the checkpoint at position ${expected.position}: it was rewritten`;
}
