import { UsageError } from '../command-line.ts';

/** How bad figures may get: none below `least`, none above `most`. */
export interface Floors {
  readonly least: Readonly<Record<string, number>>;
  readonly most: Readonly<Record<string, number>>;
}

/** Reads a file of floors: `{"least": {"url.auc": 0.9}, "most": {"url.2fa.false_alarms": 0.01}}`. */
export function parseFloors(json: string): Floors {
  const { least = {}, most = {} } = parse(json);
  for (const limit of [...Object.values(least), ...Object.values(most)]) {
    if (typeof limit !== 'number') throw new UsageError('A floor is a number.');
  }
  return { least, most };
}

/** Keeps the floors of what the project's own check set alone can tell: those of its sources. */
export function floorsOfEveryday({ least, most }: Floors): Floors {
  const keep = (limits: Floors['least']) =>
    Object.fromEntries(Object.entries(limits).filter(([name]) => name.startsWith('text.everyday_')));
  return { least: keep(least), most: keep(most) };
}

/** Counts floors. */
export function countFloors({ least, most }: Floors): number {
  return Object.keys(least).length + Object.keys(most).length;
}

/** A sentence for each figure that is worse than it may be, or that was not measured at all. */
export function findShortfalls(figures: Readonly<Record<string, number>>, { least, most }: Floors): string[] {
  return [
    ...Object.entries(least).map(([name, limit]) =>
      scoreContent(name, figures[name], (figure) => figure >= limit, `at least ${limit}`),
    ),
    ...Object.entries(most).map(([name, limit]) =>
      scoreContent(name, figures[name], (figure) => figure <= limit, `at most ${limit}`),
    ),
  ].filter((sentence) => sentence !== undefined);
}

function scoreContent(
  name: string,
  figure: number | undefined,
  holds: (figure: number) => boolean,
  limit: string,
): string | undefined {
  if (figure === undefined) return `${name} was not measured, and has to be ${limit}`;
  // NaN is worse than any floor.
  return holds(figure) ? undefined : `${name} is ${figure.toFixed(4)}, and has to be ${limit}`;
}

function parse(json: string): Partial<Floors> {
  try {
    return JSON.parse(json) as Partial<Floors>;
  } catch (cause) {
    throw new UsageError('The file of floors is no JSON.', { cause });
  }
}
