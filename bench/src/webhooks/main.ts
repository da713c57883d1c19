import { runBench } from '../run-bench.ts';
import { WEBHOOK_PART } from './webhook-part.ts';

const HELP = `Measures webhook deliveries beside a bare loop of posts, in one run: a part of \`npm run bench\`.

  npm run bench:webhooks                      everything: about 25 minutes
  npm run bench:webhooks -- --quick           fewer and shorter queues: about 90 seconds
  npm run bench:webhooks -- --only latency    only some groups of rows
  npm run bench:webhooks -- --engine sqlite   only one store: sqlite, postgres; may be repeated
  npm run bench:webhooks -- --write           also updates its part of docs/performance.md`;

await runBench(HELP, [WEBHOOK_PART]);
