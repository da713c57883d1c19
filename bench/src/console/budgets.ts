/** What the console may cost. Units are in the names. */
const BUDGETS = {
  scriptKiB: { title: 'script of the first load, gzip, KiB', max: 250 },
  usableMs: { title: 'usable after, ms', max: 1500 },
  routeChangeMs: { title: 'change of the page, longest, ms', max: 150 },
  scrollFrameMs: { title: 'longest frame while scrolling, ms', max: 50 },
  typingTaskMs: { title: 'longest task while typing in a filter, ms', max: 50 },
  tailGrowthMiB: { title: 'heap growth in the second half of the live tail, MiB', max: 5 },
} as const;

type Figure = keyof typeof BUDGETS;
export type Figures = Partial<Record<Figure, number>>;

/** Lays the figures out beside their budgets. */
export function toBudgetTable(figures: Figures): { text: string; areHeld: boolean } {
  const rows = (Object.keys(BUDGETS) as Figure[]).flatMap((name) => {
    const measured = figures[name];
    if (measured === undefined) return [];
    const { title, max } = BUDGETS[name];
    return [{ title, max, measured, isHeld: measured <= max }];
  });
  const width = Math.max(...rows.map(({ title }) => title.length));
  const lines = rows.map(
    ({ title, max, measured, isHeld }) =>
      `${title.padEnd(width)}  ${measured.toFixed(1).padStart(8)}  of ${String(max).padStart(5)}  ${isHeld ? 'held' : 'MISSED'}`,
  );
  return { text: lines.join('\n'), areHeld: rows.every(({ isHeld }) => isHeld) };
}
