import type { Alert, Incident, Threat } from '@tps/client';
import type { EventAnswer } from '@tps/simulator';
import type { NewItems } from './observer.ts';
import { countRefused, type Progress } from './progress.ts';
import { ACTION_STYLES, createPainter, fitLine, type Painter, paintSeverity } from './style.ts';

const BAR_WIDTH = 28;
const MAX_NEWEST = 4;
/** Lines of the picture without the newest items of its three lists. */
const FIXED_LINES = 18;
/** A picture taller than the terminal could not be drawn over itself. */
const MIN_ROWS = FIXED_LINES + 4;
const ESCAPE = String.fromCharCode(27);

/** Shows the progress of the demo. */
export interface View {
  readonly paint: Painter;
  onAnswer(answer: EventAnswer, progress: Progress): void;
  onNew(items: NewItems, progress: Progress): void;
  end(): void;
}

/** A picture that is drawn over itself in a terminal that is tall enough; lines everywhere else. */
export function createView(terminal: NodeJS.WriteStream): View {
  return terminal.isTTY && terminal.rows >= MIN_ROWS ? createPicture(terminal) : createLines();
}

function createPicture(terminal: NodeJS.WriteStream): View {
  const paint = createPainter(!process.env.NO_COLOR);
  let drawn = 0;
  const draw = (progress: Progress) => {
    const newest = Math.min(MAX_NEWEST, Math.max(1, Math.floor((terminal.rows - 1 - FIXED_LINES) / 3)));
    const lines = [...drawProgress(progress, paint), ...drawDerived(progress, { newest, paint })];
    const up = drawn > 0 ? `${ESCAPE}[${drawn}A` : '';
    const text = lines.map((line) => `${fitLine(line, terminal.columns)}${ESCAPE}[K\n`).join('');
    terminal.write(`${up}\r${text}${ESCAPE}[J`);
    drawn = lines.length;
  };
  // Hides the cursor until the end.
  terminal.write(`${ESCAPE}[?25l`);
  return {
    paint,
    onAnswer: (_, progress) => draw(progress),
    onNew: (_, progress) => draw(progress),
    end: () => void terminal.write(`${ESCAPE}[?25h`),
  };
}

function createLines(): View {
  const paint = createPainter(false);
  const print = (kind: string, lines: readonly string[]) => {
    for (const line of lines) console.log(`${kind.padEnd(8)}  ${line}`);
  };
  return {
    paint,
    onAnswer: (answer) => print('event', [describeAnswer(answer)]),
    onNew({ alerts, threats, incidents }) {
      print(
        'alert',
        alerts.map((alert) => describeAlert(alert, paint)),
      );
      print(
        'threat',
        threats.map((threat) => describeThreat(threat, paint)),
      );
      print(
        'incident',
        incidents.map((incident) => describeIncident(incident, paint)),
      );
    },
    end: () => undefined,
  };
}

function drawProgress(progress: Progress, paint: Painter): string[] {
  const { planned, answers, accepted, known, refused, feed, byCategory } = progress;
  const done = Math.min(BAR_WIDTH, Math.round((answers.length / Math.max(1, planned)) * BAR_WIDTH));
  const refusals = [...refused].map(([code, times]) => `${code} ${times}`).join('  ');
  const totals = [...byCategory.values()].map(({ allow, warn, block }) => allow + warn + block);
  const max = Math.max(1, ...totals);
  return [
    '',
    `  ${paint('bold', 'Events')}   ${'█'.repeat(done)}${paint('dim', '░'.repeat(BAR_WIDTH - done))}  ` +
      `${paint('green', `${accepted} accepted`)}  ${known} known already  ` +
      `${paint('red', `${countRefused(progress)} refused`)}  ${paint('cyan', `${feed.length} read back`)}`,
    `  ${paint('dim', refusals === '' ? 'nothing refused yet' : `refused: ${refusals}`)}`,
    '',
    ...[...byCategory].map(([category, counts], index) => {
      const bars = (['block', 'warn', 'allow'] as const).map((action) =>
        paint(ACTION_STYLES[action], '█'.repeat(Math.round((counts[action] / max) * BAR_WIDTH))),
      );
      return `  ${category.padEnd(18)} ${String(totals[index]).padStart(5)} ${bars.join('')}`;
    }),
    `  ${' '.repeat(25)}${paint('red', '█')} block  ${paint('yellow', '█')} warn  ${paint('green', '█')} allow`,
  ];
}

function drawDerived(
  { alerts, threats, incidents }: Progress,
  { newest, paint }: { newest: number; paint: Painter },
): string[] {
  const section = <Item>(
    title: string,
    items: ReadonlyMap<string, Item>,
    describe: (item: Item, paint: Painter) => string,
  ) => {
    const shown = [...items.values()].slice(-newest).reverse();
    // Filled up, so that the height stays the same.
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

function describeAnswer({ event, status, code }: EventAnswer): string {
  const what = status === 201 ? 'accepted' : status === 200 ? 'known already' : `refused ${code ?? status}`;
  const { event_id, device_id, threat_category, action_taken, severity } = event;
  return `${event_id}  ${what}  ${threat_category} ${action_taken} ${severity}  ${device_id}`;
}

function describeAlert({ severity, title, device_id }: Alert, paint: Painter): string {
  return `${paintSeverity(paint, severity)} ${title.padEnd(26)} ${paint('dim', device_id)}`;
}

function describeThreat(
  { severity, threat_category, device_id, confidence }: Threat,
  paint: Painter,
): string {
  const certainty = `${Math.round(confidence * 100)} %`;
  return `${paintSeverity(paint, severity)} ${threat_category.padEnd(20)} ${certainty} ${paint('dim', device_id)}`;
}

function describeIncident({ severity, message }: Incident, paint: Painter): string {
  return `${paintSeverity(paint, severity)} ${message.replace(/([0-9a-f]{8})[0-9a-f]{56}/, '$1…')}`;
}
