import { UsageError } from '../command-line.ts';

/** Limits of figures: at least `min`, at most `max`. */
export interface Floors {
  readonly min: Readonly<Record<string, number>>;
  readonly max: Readonly<Record<string, number>>;
}

/** Parses a file of floors: `{"min": {"url.auc": 0.9}, "max": {"url.2fa.false_alarms": 0.01}}`. */
export function parseFloors(json: string): Floors {
  const { min = {}, max = {} } = parse(json);
  for (const limit of [...Object.values(min), ...Object.values(max)]) {
    if (typeof limit !== 'number') throw new UsageError('A floor must be a number.');
  }
  return { min, max };
}

/** Selects the floors that the project's own check set alone can measure: those of its sources. */
export function selectEverydayFloors({ min, max }: Floors): Floors {
  const keep = (limits: Floors['min']) =>
    Object.fromEntries(Object.entries(limits).filter(([name]) => name.startsWith('text.everyday_')));
  return { min: keep(min), max: keep(max) };
}

/** Returns the number of floors. */
export function countFloors({ min, max }: Floors): number {
  return Object.keys(min).length + Object.keys(max).length;
}

/** Returns a sentence for each figure that is outside its limit or was not measured. */
export function findShortfalls(figures: Readonly<Record<string, number>>, { min, max }: Floors): string[] {
  return [
    ...Object.entries(min).map(([name, limit]) =>
      checkFloor(name, figures[name], (figure) => figure >= limit, `at least ${limit}`),
    ),
    ...Object.entries(max).map(([name, limit]) =>
      checkFloor(name, figures[name], (figure) => figure <= limit, `at most ${limit}`),
    ),
  ].filter((sentence) => sentence !== undefined);
}

function checkFloor(
  name: string,
  figure: number | undefined,
  holds: (figure: number) => boolean,
  limit: string,
): string | undefined {
  if (figure === undefined) return `${name} was not measured; it must be ${limit}`;
  // NaN violates any floor.
  return holds(figure) ? undefined : `${name} is ${figure.toFixed(4)}; it must be ${limit}`;
}

function parse(json: string): Partial<Floors> {
  try {
    return JSON.parse(json) as Partial<Floors>;
  } catch (cause) {
    throw new UsageError('The file of floors is not valid JSON.', { cause });
  }
}
