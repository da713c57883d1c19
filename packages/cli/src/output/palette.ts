import picocolors from 'picocolors';
import type { CommandContext } from '../command-context.ts';
import type { Output } from './output.ts';

export type Palette = ReturnType<typeof picocolors.createColors>;

/** Returns colors for a terminal without NO_COLOR (https://no-color.org), otherwise none. */
export function createPalette(output: Output, env: CommandContext['env']): Palette {
  return picocolors.createColors(output.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb');
}

/** Colors a severity or a status. An unknown word is unchanged. */
export function paintState(palette: Palette, word: string): string {
  if (RED.has(word)) return palette.red(word);
  if (YELLOW.has(word)) return palette.yellow(word);
  return GREEN.has(word) ? palette.green(word) : word;
}

const RED = new Set(['critical', 'high', 'block', 'unprotected', 'failed', 'revoked', 'down', 'unavailable']);
const YELLOW = new Set([
  'medium',
  'warn',
  'at_risk',
  'degraded',
  'open',
  'waiting_review',
  'retrying',
  'expired',
]);
const GREEN = new Set(['protected', 'completed', 'delivered', 'resolved', 'active', 'ok', 'up']);
