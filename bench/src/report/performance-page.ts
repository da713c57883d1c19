import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));

/** Headings that separate the parts of the page. No part has such a heading inside. */
const HEADINGS = {
  introduction: '# Performance',
  requests: '## Requests',
  webhooks: '## Webhooks',
  agent: '## The agent',
  scenarios: '## Scenarios',
  explanations: '## Missed targets',
  peers: '## Peers',
} as const;

/** The parts that benchmarks write. The introduction and the explanations of missed targets are written by hand. */
export type PagePart = 'requests' | 'webhooks' | 'agent' | 'scenarios' | 'peers';

/** Replaces one part of docs/performance.md. The other parts stay as they are. */
export function writePart(part: PagePart, text: string): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const parts = { ...splitPage(page), [part]: `${HEADINGS[part]}\n\n${text}` };
  writeFileSync(PAGE, `${Object.values(parts).join('\n\n')}\n`);
}

/** Returns the parts in their order. A part that the page lacks is its heading alone. */
function splitPage(page: string): Record<keyof typeof HEADINGS, string> {
  const names = Object.keys(HEADINGS) as (keyof typeof HEADINGS)[];
  const starts = names.map((name) => `\n${page}\n`.indexOf(`\n${HEADINGS[name]}\n`));
  const parts = names.map((name, index) => {
    const start = starts[index] ?? -1;
    if (start === -1) return [name, HEADINGS[name]];
    const end = starts.slice(index + 1).find((next) => next > start);
    return [name, page.slice(start, end).trim()];
  });
  return Object.fromEntries(parts) as Record<keyof typeof HEADINGS, string>;
}

const MAX_COLUMNS = 100;

/** Breaks a paragraph into lines. */
export function wrap(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= MAX_COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}
