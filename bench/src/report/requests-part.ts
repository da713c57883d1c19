import type { BenchOptions } from '../options.ts';
import { writePart } from './performance-page.ts';
import { toMarkdown } from './tables.ts';

interface RequestFigures {
  readonly machine: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly targets: readonly (readonly string[])[];
  readonly options: BenchOptions;
}

function toRequestsPart({ machine, rows, targets, options }: RequestFigures): string {
  const { repeats, seconds, connections, devices } = options;
  return `# Performance

Written by \`npm run bench -- --write\`. Every figure is the median of ${repeats} rounds of ${seconds} s; a ratio is the median of the
ratios within each round, so that a slow minute of the machine touches both sides.

## Machine

${machine.map((line) => `- ${line}`).join('\n')}

Client, service and store share its cores.

## Targets

${toMarkdown(targets)}

## Figures

${toMarkdown(rows)}

## How it is measured

- One client process with ${connections} keep-alive connections, one request at a time on each. All requests are made and signed before the
  timed window. The client costs little on purpose: a slower one would flatter every ratio to the echo, which it would hold back most.
- Both echoes get unsigned events of the same size. The Fastify one checks the body against the schema of an event and serialises
  its answer by it.
- ${devices} devices with RSA-2048 keys send believable events: descriptions of some 200 characters, one in five with something to
  redact; half of the decisions block; one event in five names an indicator that many devices report.
- The service runs as its users run it, a process of its own, on a fresh store. SQLite has \`synchronous=FULL\`; PostgreSQL runs
  beside it with \`fsync\` and \`synchronous_commit\` on.
- The bare loops copy rows which the service has just written (events, their alerts, and the memberships of incidents
  that came of these) into the same tables and indexes of a fresh store, 200 events to a transaction, and do nothing else.
- Pages of the feed are read one after the other over one connection; server time is the mean of the service's own histogram.
- CPU is user and system time of the process over wall time; memory is the largest resident size since it started.

## To repeat it

\`\`\`
npm ci
npm run bench              # npm run bench -- --help tells the rest
\`\`\`
`;
}

/** Writes what was measured about requests into docs/performance.md. The other parts stay. */
export function writeRequestsPart(figures: RequestFigures): void {
  writePart('requests', toRequestsPart(figures));
}
