import { stripVTControlCharacters, styleText } from 'node:util';
import type { Action, Severity } from '@tps/contract';

type Style = Parameters<typeof styleText>[0];

/** Styles text for a terminal; returns it unchanged where colours are off. */
export type Painter = (style: Style, text: string) => string;

export function createPainter(isColoured: boolean): Painter {
  return (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text);
}

const SEVERITY_STYLES: Record<Severity, Style> = {
  low: 'dim',
  medium: 'cyan',
  high: 'yellow',
  critical: ['red', 'bold'],
};

export const ACTION_STYLES: Record<Action, Style> = { allow: 'green', warn: 'yellow', block: 'red' };

export function paintSeverity(paint: Painter, severity: Severity): string {
  return paint(SEVERITY_STYLES[severity], severity.padEnd(8));
}

/** Cuts a line to a number of columns and keeps its styles. Wide characters count as one column. */
export function fitLine(line: string, columns: number): string {
  if (stripVTControlCharacters(line).length <= columns) return line;
  const start = String.fromCharCode(27);
  let shown = 0;
  let output = '';
  for (const part of line.split(new RegExp(`(${start}\\[[0-9;]*m)`))) {
    if (part.startsWith(start)) output += part;
    else {
      output += part.slice(0, Math.max(0, columns - 1 - shown));
      shown += part.length;
    }
  }
  return `${output}…`;
}
