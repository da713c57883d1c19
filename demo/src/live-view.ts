import type { Alert, Incident, Threat } from '@tps/contract';
import type { Observed } from './observer.ts';
import { type Progress, refusedCount } from './progress.ts';
import { ACTION_STYLES, createPainter, fitLine, type Painter, paintSeverity } from './style.ts';

const BAR = 28;
const MAX_NEWEST = 4;
/** Lines of the picture beside the newest items of its three lists. */
const FIXED_LINES = 18;

/** Fewest rows that the picture fits in: one that is taller than the terminal cannot be drawn over itself. */
export const MIN_ROWS = FIXED_LINES + 4;
const ESCAPE = String.fromCharCode(27);

/** The part of a terminal that is drawn on. */
interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** A screen that is drawn anew over itself. */
export interface LiveView {
  draw(progress: Progress, observed: Observed): void;
  /** Leaves the last picture standing and gives the cursor back. */
  end(): void;
}

export function createLiveView(terminal: Terminal, { isColoured }: { isColoured: boolean }): LiveView {
  const paint = createPainter(isColoured);
  let drawn = 0;
  terminal.write(`${ESCAPE}[?25l`);
  return {
    draw(progress, observed) {
      const { columns = 80, rows = MIN_ROWS } = terminal;
      const newest = Math.min(MAX_NEWEST, Math.max(1, Math.floor((rows - 1 - FIXED_LINES) / 3)));
      const lines = [...drawProgress(progress, observed, paint), ...drawDerived(observed, { newest, paint })];
      const up = drawn > 0 ? `${ESCAPE}[${drawn}A` : '';
      const text = lines.map((line) => `${fitLine(line, columns)}${ESCAPE}[K\n`).join('');
      terminal.write(`${up}\r${text}${ESCAPE}[J`);
      drawn = lines.length;
    },
    end() {
      terminal.write(`${ESCAPE}[?25h`);
    },
  };
}

function drawProgress(progress: Progress, { feed }: Observed, paint: Painter): string[] {
  const { planned, outcomes, stored, known, refused } = progress;
  const done = Math.min(BAR, Math.round((outcomes.length / Math.max(1, planned)) * BAR));
  const refusals = [...refused].map(([code, times]) => `${code} ${times}`).join('  ');
  const most = Math.max(
    1,
    ...[...progress.byCategory.values()].map(({ allow, warn, block }) => allow + warn + block),
  );
  return [
    '',
    `  ${paint('bold', 'Events')}   ${'█'.repeat(done)}${paint('dim', '░'.repeat(BAR - done))}  ` +
      `${paint('green', `${stored} accepted`)}  ${known} known already  ` +
      `${paint('red', `${refusedCount(progress)} refused`)}  ${paint('cyan', `${feed.length} read back`)}`,
    `  ${paint('dim', refusals === '' ? 'nothing refused yet' : `refused: ${refusals}`)}`,
    '',
    ...[...progress.byCategory].map(([category, { allow, warn, block }]) => {
      const bar = (['block', 'warn', 'allow'] as const)
        .map((action) => {
          const times = { allow, warn, block }[action];
          return paint(ACTION_STYLES[action], '█'.repeat(Math.round((times / most) * BAR)));
        })
        .join('');
      return `  ${category.padEnd(18)} ${String(allow + warn + block).padStart(5)} ${bar}`;
    }),
    `  ${' '.repeat(25)}${paint('red', '█')} block  ${paint('yellow', '█')} warn  ${paint('green', '█')} allow`,
  ];
}

function drawDerived(
  { alerts, threats, incidents }: Observed,
  { newest, paint }: { newest: number; paint: Painter },
): string[] {
  const section = <Item>(
    title: string,
    items: ReadonlyMap<string, Item>,
    describe: (item: Item, paint: Painter) => string,
  ) => {
    const shown = [...items.values()].slice(-newest).reverse();
    // Always as tall, so that the picture does not jump.
    const empty = Array.from({ length: newest - shown.length }, () => '');
    const lines = shown.map((item) => `    ${describe(item, paint)}`);
    return ['', `  ${paint('bold', `${title} ${items.size}`)}`, ...lines, ...empty];
  };
  return [
    ...section('Alerts', alerts, describeAlert),
    ...section('Threats', threats, describeThreat),
    ...section('Incidents', incidents, describeIncident),
  ];
}

export function describeAlert({ severity, title, device_id }: Alert, paint: Painter): string {
  return `${paintSeverity(paint, severity)} ${title.padEnd(26)} ${paint('dim', device_id)}`;
}

export function describeThreat(
  { severity, threat_category, device_id, confidence }: Threat,
  paint: Painter,
): string {
  const certainty = `${Math.round(confidence * 100)} %`;
  return `${paintSeverity(paint, severity)} ${threat_category.padEnd(20)} ${certainty} ${paint('dim', device_id)}`;
}

export function describeIncident({ severity, message }: Incident, paint: Painter): string {
  return `${paintSeverity(paint, severity)} ${message.replace(/([0-9a-f]{8})[0-9a-f]{56}/, '$1…')}`;
}
