import { maskPlaceholders } from './mask-placeholders.ts';
import type { Row } from './row.ts';

const LABELS: Readonly<Record<string, boolean>> = {
  '0': false,
  ham: false,
  benign: false,
  legit: false,
  '1': true,
  spam: true,
  smishing: true,
  phishing: true,
  scam: true,
  mal: true,
  malware: true,
};
/** Longer content is cut: the shipped models do not score more either. */
const MAX_CHARACTERS = 65_536;

/**
 * Parses a line of JSON: `text` or `url`, `label`, `source`, `date`; or, in short, `u`, `y`, `d`, with the
 * file name as the source. Returns undefined for an invalid line.
 */
export function parseRow(line: string, file: string): Row | undefined {
  const members = parseObject(line);
  if (!members) return undefined;
  const { url, u = url, text, label, y = label, source, s = source, date, d = date, kind } = members;
  const content = u ?? text;
  const written = String(y).toLowerCase();
  const threat = LABELS[written];
  if (typeof content !== 'string' || content === '' || threat === undefined) return undefined;
  return {
    kind: u === undefined ? 'text' : 'url',
    file,
    content: readContent(content, u === undefined),
    threat,
    label: written,
    source: typeof s === 'string' ? s : file,
    ...(typeof kind === 'string' && { topic: kind }),
    ...(typeof d === 'string' && { date: d }),
  };
}

function readContent(content: string, isText: boolean): string {
  const cut = content.slice(0, MAX_CHARACTERS);
  return isText ? maskPlaceholders(cut) : cut;
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
