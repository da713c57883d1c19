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

const LINE = /^checkpoint (\S+)((?: (?:feed|audit) [0-9]{1,15} [0-9a-f]{64})+)$/;
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

/** Reads the checkpoints in the output of `tps verify`; other lines are ignored. @throws Error if there are none, or one is damaged */
export function parseCheckpoints(text: string): Checkpoint[] {
  const checkpoints = text.split('\n').flatMap((line, index): Checkpoint[] => {
    if (!/^\s*checkpoint\b/.test(line)) return [];
    const [, name = '', points = ''] = LINE.exec(line.trim()) ?? [];
    if (name === '') throw new Error(`The file is damaged: line ${index + 1} is not a whole checkpoint.`);
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

/** The points of one chain in the checkpoints. Notes which of them were compared with the chain. */
export class ExpectedPoints {
  readonly #points: readonly ChainPoint[];
  readonly #compared = new Set<number>();

  constructor(points: readonly ChainPoint[] = []) {
    this.#points = points;
  }

  /** How many points the chain did not reach back to. */
  get uncompared(): number {
    return this.#points.filter(({ position }) => !this.#compared.has(position)).length;
  }

  /** Explains how the chain differs from the points at a position. */
  whyDiffers(position: number, actual: Uint8Array): string | undefined {
    const points = this.#points.filter((point) => point.position === position);
    if (points.length === 0) return undefined;
    this.#compared.add(position);
    const hash = Buffer.from(actual.buffer, actual.byteOffset, actual.byteLength).toString('hex');
    if (points.every((point) => point.hash === hash)) return undefined;
    return `chain differs from the checkpoint at position ${position}: it was rewritten`;
  }

  /** Explains that a chain which ends at a position does not reach all points. */
  whyTooShort(end: number): string | undefined {
    const beyond = this.#points.find(({ position }) => position > end);
    if (!beyond) return undefined;
    this.#compared.add(beyond.position);
    return `chain does not reach position ${beyond.position} of the checkpoint`;
  }
}
