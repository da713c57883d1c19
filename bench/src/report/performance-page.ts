import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));

/** What each part after the first begins with. No part has such a heading inside. */
export const WEBHOOKS_HEADING = '## Webhooks';
const BY_HAND_HEADING = '## What is not reached, and why';

type Part = 'requests' | 'webhooks';

/**
 * Writes one part of docs/performance.md: what `npm run bench` measured, or what `npm run bench:webhooks` did. The
 * other part stays as it is, and so does what a person has written at the end, about targets that were missed.
 */
export function writePart(part: Part, text: string): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const parts = { ...splitPage(page), [part]: text };
  const inOrder = [parts.requests, parts.webhooks, parts.byHand].map((each) => each.trim()).filter(Boolean);
  writeFileSync(PAGE, `${inOrder.join('\n\n')}\n`);
}

function splitPage(page: string): Record<Part | 'byHand', string> {
  const byHandAt = indexOfLine(page, BY_HAND_HEADING);
  const measured = page.slice(0, byHandAt);
  const webhooksAt = indexOfLine(measured, WEBHOOKS_HEADING);
  return {
    requests: measured.slice(0, webhooksAt),
    webhooks: measured.slice(webhooksAt),
    byHand: page.slice(byHandAt) || BY_HAND_HEADING,
  };
}

/** Where this whole line begins, or the end of the text without it. */
function indexOfLine(text: string, line: string): number {
  const at = `\n${text}\n`.indexOf(`\n${line}\n`);
  return at === -1 ? text.length : at;
}
