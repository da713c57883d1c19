import { WEBHOOKS_HEADING, writePart } from '../report/performance-page.ts';
import { toMarkdown } from '../report/tables.ts';
import type { WebhookBenchOptions } from './webhook-options.ts';

interface WebhookFigures {
  readonly machine: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly targets: readonly (readonly string[])[];
  readonly options: WebhookBenchOptions;
}

/** Writes what was measured about webhooks into docs/performance.md. The other parts stay. */
export function writeWebhooksPart(figures: WebhookFigures): void {
  writePart('webhooks', toWebhooksPart(figures));
}

function toWebhooksPart({ machine, rows, targets, options }: WebhookFigures): string {
  const { repeats, deliveries, manyDeliveries } = options;
  const rounds = repeats === 1 ? 'one round' : `the median of ${repeats} rounds`;
  return `${WEBHOOKS_HEADING}

Written by \`npm run bench:webhooks -- --write\`; every figure is ${rounds}. Measured on:

${machine.map((line) => `- ${line}`).join('\n')}

Service, store, receivers and client share its cores.

### Targets for webhooks

${toMarkdown(targets)}

### Figures for webhooks

${toMarkdown(rows)}

### How deliveries are measured

- The receivers are \`node:http\` servers on ports of their own, all in one process, that read a request to its end and answer 204.
- Latency: 20 events a second are sent to \`POST /events\`, one webhook gets them. "Accepted" is when the 201 has come back to the
  client, "received" when the receiver has read all of the delivery; all processes read the same monotonic clock.
- Rate: the service takes in events while the receivers hold what they get, so that everything queues up; it is stopped, the receivers
  begin to answer, it is started again and drains the queue while nobody sends events: ${deliveries.toLocaleString('en')} deliveries, to
  10 receivers ${manyDeliveries.toLocaleString('en')}. The rate is that of arrivals after the first fifth, and with receivers that hang that of
  all arrivals at the others.
- Bare posts: a process that posts, with undici, what the service has posted, headers and bodies, to the same receivers, as many at once
  as the service may have under way (8 for each webhook, 16 for each tenant, 64 in all), and does nothing else: no store, no signature.
- Memory is the resident size of the service after the first fifth of the queue, and when all of it has arrived.

To repeat it: \`npm run bench:webhooks\` (\`-- --help\` tells the rest).`;
}
