import { AGENT_HEADING, writePart } from '../report/performance-page.ts';
import { toMarkdown } from '../report/tables.ts';
import type { AgentBenchOptions } from './agent-options.ts';

interface AgentFigures {
  readonly machine: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly targets: readonly (readonly string[])[];
  readonly options: AgentBenchOptions;
}

/** Writes what was measured about the agent into docs/performance.md. The other parts stay. */
export function writeAgentPart(figures: AgentFigures): void {
  writePart('agent', toAgentPart(figures));
}

function toAgentPart({ machine, rows, targets, options }: AgentFigures): string {
  const { repeats, seconds, uploads, buffered } = options;
  const rounds = repeats === 1 ? 'one round' : `the median of ${repeats} rounds`;
  return `${AGENT_HEADING}

Written by \`npm run bench:agent -- --write\`; every figure is ${rounds}. Measured on:

${machine.map((line) => `- ${line}`).join('\n')}

### Targets for the agent

${toMarkdown(targets)}

### Figures for the agent

${toMarkdown(rows)}

### How the agent is measured

- Each row is a process of its own with an enrolled agent, as \`openNodeAgent\` gives it, and no network but for the upload. A decision is a
  call of \`record\`: policy, event, encryption, the local log. A timed window is ${seconds} s.
- "Bare append" is a loop of \`writeSync\`, and \`fdatasyncSync\` where the agent syncs, that appends as many bytes as one of the agent's
  records takes on disk, and does nothing else. It
  blocks its process meanwhile, which the agent never does; the row below it is that loop on the thread pool.
- With 16 at once the agent syncs once for all records that wait, so it can be faster than a loop that syncs for each.
- Flushing in place instead of on the thread pool was tried: 0.48 and 0.51 one after the other, but 1.6 and 1.8 with 16 at once, and an application that
  stands still while the disk is slow. So it stays on the pool.
- Upload: ${uploads.toLocaleString('en')} waiting events, redacted, signed with Ed25519, and sent in batches, one request at a time, to the service on SQLite,
  which verifies, checks, derives and stores; each answer is noted on disk. The bare posts are bodies of the same lengths, in the same
  order, to a \`node:http\` server that parses and returns them.
- Memory: growth of heap and resident size, after a full garbage collection, over ${buffered.toLocaleString('en')} events that nobody fetches, and in a new
  process that opens them.

To repeat it: \`npm run bench:agent\` (\`-- --help\` tells the rest).`;
}
