import { styleText } from 'node:util';
import type { Alert, Incident, Threat } from '@tps/client';
import type { Action, Severity } from '@tps/contract';
import type { EventAnswer } from '@tps/simulator';
import type { NewItems } from './observer.ts';
import { countRefused, type Progress } from './progress.ts';

const BAR_WIDTH = 28;
const MAX_NEWEST = 4;
/** Lines of the picture without the newest items of its three lists. */
const FIXED_LINES = 18;
/** A picture taller than the terminal could not be drawn over itself. */
const MIN_ROWS = FIXED_LINES + 4;
const ESCAPE = String.fromCharCode(27);
/** Hides the cursor and cuts long lines off, and back. */
const START_DRAWING = `${ESCAPE}[?25l${ESCAPE}[?7l`;
const END_DRAWING = `${ESCAPE}[?7h${ESCAPE}[?25h`;

type Style = Parameters<typeof styleText>[0];

const SEVERITY_STYLES: Record<Severity, Style> = {
  low: 'dim',
  medium: 'cyan',
  high: 'yellow',
  critical: ['red', 'bold'],
};
const ACTION_STYLES: Record<Action, Style> = { allow: 'green', warn: 'yellow', block: 'red' };

/** Shows the progress of the demo. */
export interface View {
  onAnswer(answer: EventAnswer, progress: Progress): void;
  onNew(items: NewItems, progress: Progress): void;
  end(): void;
}

/** A picture that is drawn over itself in a terminal that is tall enough; lines everywhere else. */
export function createView(terminal: NodeJS.WriteStream): View {
  return terminal.isTTY && terminal.rows >= MIN_ROWS ? createPicture(terminal) : createLines();
}

function createPicture(terminal: NodeJS.WriteStream): View {
  let drawn = 0;
  const draw = (progress: Progress) => {
    const newest = Math.min(MAX_NEWEST, Math.max(1, Math.floor((terminal.rows - 1 - FIXED_LINES) / 3)));
    const lines = [...drawProgress(progress), ...drawDerived(progress, newest)];
    const up = drawn > 0 ? `${ESCAPE}[${drawn}A` : '';
    const text = lines.map((line) => `${line}${ESCAPE}[K\n`).join('');
    terminal.write(`${up}\r${text}${ESCAPE}[J`);
    drawn = lines.length;
  };
  terminal.write(START_DRAWING);
  return {
    onAnswer: (_, progress) => draw(progress),
    onNew: (_, progress) => draw(progress),
    end: () => void terminal.write(END_DRAWING),
  };
}

function createLines(): View {
  const print = (kind: string, lines: readonly string[]) => {
    for (const line of lines) console.log(`${kind.padEnd(8)}  ${line}`);
  };
  return {
    onAnswer: (answer) => print('event', [describeAnswer(answer)]),
    onNew({ alerts, threats, incidents }) {
      print('alert', alerts.map(describeAlert));
      print('threat', threats.map(describeThreat));
      print('incident', incidents.map(describeIncident));
    },
    end: () => undefined,
  };
}

function drawProgress(progress: Progress): string[] {
  const { planned, answers, accepted, known, refused, feed, byCategory } = progress;
  const done = Math.min(BAR_WIDTH, Math.round((answers.length / Math.max(1, planned)) * BAR_WIDTH));
  const refusals = [...refused].map(([code, times]) => `${code} ${times}`).join('  ');
  const totals = [...byCategory.values()].map(({ allow, warn, block }) => allow + warn + block);
  const max = Math.max(1, ...totals);
  return [
    '',
    `  ${styleText('bold', 'Events')}   ${'█'.repeat(done)}${styleText('dim', '░'.repeat(BAR_WIDTH - done))}  ` +
      `${styleText('green', `${accepted} accepted`)}  ${known} known already  ` +
      `${styleText('red', `${countRefused(progress)} refused`)}  ${styleText('cyan', `${feed.length} read back`)}`,
    `  ${styleText('dim', refusals === '' ? 'nothing refused yet' : `refused: ${refusals}`)}`,
    '',
    ...[...byCategory].map(([category, counts], index) => {
      const bars = (['block', 'warn', 'allow'] as const).map((action) =>
        styleText(ACTION_STYLES[action], '█'.repeat(Math.round((counts[action] / max) * BAR_WIDTH))),
      );
      return `  ${category.padEnd(18)} ${String(totals[index]).padStart(5)} ${bars.join('')}`;
    }),
    `  ${' '.repeat(25)}${styleText('red', '█')} block  ${styleText('yellow', '█')} warn  ${styleText('green', '█')} allow`,
  ];
}

function drawDerived({ alerts, threats, incidents }: Progress, newest: number): string[] {
  const section = <Item>(
    title: string,
    items: ReadonlyMap<string, Item>,
    describe: (item: Item) => string,
  ) => {
    const shown = [...items.values()].slice(-newest).reverse();
    // Filled up, so that the height stays the same.
    const empty = Array.from({ length: newest - shown.length }, () => '');
    const lines = shown.map((item) => `    ${describe(item)}`);
    return ['', `  ${styleText('bold', `${title} ${items.size}`)}`, ...lines, ...empty];
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

function describeAlert({ severity, title, device_id }: Alert): string {
  return `${paintSeverity(severity)} ${title.padEnd(26)} ${styleText('dim', device_id)}`;
}

function describeThreat({ severity, threat_category, device_id, confidence }: Threat): string {
  const certainty = `${Math.round(confidence * 100)} %`;
  return `${paintSeverity(severity)} ${threat_category.padEnd(20)} ${certainty} ${styleText('dim', device_id)}`;
}

function describeIncident({ severity, message }: Incident): string {
  return `${paintSeverity(severity)} ${message.replace(/([0-9a-f]{8})[0-9a-f]{56}/, '$1…')}`;
}

function paintSeverity(severity: Severity): string {
  return styleText(SEVERITY_STYLES[severity], severity.padEnd(8));
}
