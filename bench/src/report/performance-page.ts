import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));

/** What each part after the first begins with. No part has such a heading inside. */
export const WEBHOOKS_HEADING = '## Webhooks';
export const AGENT_HEADING = '## The agent';
const BY_HAND_HEADING = '## What is not reached, and why';

type Part = 'requests' | 'webhooks' | 'agent';

/**
 * Writes one part of docs/performance.md: what `npm run bench` measured, or `bench:webhooks`, or `bench:agent`. The
 * other parts stay as they are, and so does what a person has written at the end, about targets that were missed.
 */
export function writePart(part: Part, text: string): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const parts = { ...splitPage(page), [part]: text };
  const inOrder = [parts.requests, parts.webhooks, parts.agent, parts.byHand]
    .map((each) => each.trim())
    .filter(Boolean);
  writeFileSync(PAGE, `${inOrder.join('\n\n')}\n`);
}

function splitPage(page: string): Record<Part | 'byHand', string> {
  const byHandAt = indexOfLine(page, BY_HAND_HEADING);
  const measured = page.slice(0, byHandAt);
  const agentAt = indexOfLine(measured, AGENT_HEADING);
  const service = measured.slice(0, agentAt);
  const webhooksAt = indexOfLine(service, WEBHOOKS_HEADING);
  return {
    requests: service.slice(0, webhooksAt),
    webhooks: service.slice(webhooksAt),
    agent: measured.slice(agentAt),
    byHand: page.slice(byHandAt) || BY_HAND_HEADING,
  };
}

/** Where this whole line begins, or the end of the text without it. */
function indexOfLine(text: string, line: string): number {
  const at = `\n${text}\n`.indexOf(`\n${line}\n`);
  return at === -1 ? text.length : at;
}
