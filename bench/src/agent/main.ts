import { runBench } from '../run-bench.ts';
import { AGENT_PART } from './agent-part.ts';

const HELP = `Measures the device agent beside bare loops that write and send the same bytes: a part of \`npm run bench\`.

  npm run bench:agent                   everything: about 6 minutes
  npm run bench:agent -- --quick        1 round of 1 s per row, fewer buffered events: about 30 seconds
  npm run bench:agent -- --only record  only some groups of rows
  npm run bench:agent -- --write        also updates its part of docs/performance.md`;

await runBench(HELP, [AGENT_PART]);
