import { AGENT_PART } from './agent/agent-part.ts';
import { REQUEST_PART } from './requests/request-part.ts';
import { runBench } from './run-bench.ts';
import { SCENARIO_PART } from './scenarios/scenario-part.ts';
import { WEBHOOK_PART } from './webhooks/webhook-part.ts';

const HELP = `Measures the service, its webhook deliveries and the agent beside bare servers, stores and loops, and
compares them with the targets.

  npm run bench                      everything with a target: about an hour
  npm run bench -- --quick           1 round of 1 s per row and shorter feeds and queues: about 4 minutes
  npm run bench -- --only single     only some parts or groups of rows
  npm run bench -- --engine sqlite   only one store: sqlite, postgres; may be repeated
  npm run bench -- --write           also updates docs/performance.md`;

await runBench(HELP, [REQUEST_PART, WEBHOOK_PART, AGENT_PART, SCENARIO_PART]);
