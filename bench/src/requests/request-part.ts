import type { LoadClientCalls } from '../load/load-client.ts';
import { startCallable } from '../process-calls.ts';
import { createPart, repeatRounds } from '../run-bench.ts';
import { measureFeed } from './measure-feed.ts';
import { measureBatches, measureCommits, measureEchoes, measureSingles } from './measure-requests.ts';
import { REQUEST_OPTIONS, type RequestOptions } from './request-options.ts';
import { judgeRequests } from './request-rows.ts';

/** The service beside bare servers and bare stores. */
export const REQUEST_PART = createPart({
  table: REQUEST_OPTIONS,
  async measure(context) {
    const client = startCallable<LoadClientCalls>('./load/load-client.ts');
    context.atEnd(() => client.stop());
    const bench = { ...context, client };
    const { groups, engines, repeats } = context.options;
    // Reads during ingest need the full rate of the same service.
    const sendsSingles = groups.includes('single') || groups.includes('reads');
    await repeatRounds(repeats, async () => {
      if (groups.includes('single')) await measureEchoes(bench);
      for (const engine of engines) {
        if (sendsSingles) await measureSingles(bench, engine);
        if (groups.includes('batch')) await measureBatches(bench, engine);
        if (groups.includes('commit')) await measureCommits(bench, engine);
      }
    });
    if (!groups.includes('feed')) return;
    console.log('\nthe feed');
    for (const engine of engines) await measureFeed(bench, engine);
  },
  judge: judgeRequests,
  page: { part: 'requests', subject: 'requests', command: 'npm run bench', explain },
});

function explain({ repeats, seconds, warmUp, connections, devices }: RequestOptions) {
  return {
    summary: `Every figure is the median of ${repeats} rounds of ${seconds} s. A ratio is the median of
      the ratios within each round, so that a slow minute of the machine affects both sides. Client, service and store share
      the cores.`,
    method: [
      `One client process uses ${connections} keep-alive connections and sends one request at a time on each. All
        requests are created and signed before the timed window. The client uses little CPU on purpose: an expensive
        client would slow the echo servers more than the service, which would improve every ratio.`,
      `Before each timed window the same work runs for ${warmUp} s, in bare servers and loops as in the service. It
        compiles the code, opens the connections and loads the keys of the devices.`,
      `Both echo servers receive unsigned events of the same size. The Fastify server validates the body and
        serialises its response with the schema of an event.`,
      `${devices} devices with RSA-2048 keys send realistic events: descriptions of about 200 characters, one in
        five with something to redact; half of the decisions block; one event in five has an indicator that many
        devices report.`,
      `With an OAuth access token: the same devices at the same service send with a token that a client of the tenant
        got for itself (\`client_credentials\`), right after the row before it.`,
      `The service runs as in production, in its own process, on a new store. SQLite uses \`synchronous=FULL\`;
        PostgreSQL runs on the same machine with \`fsync\` and \`synchronous_commit\` on.`,
      `The bare loops copy rows that the service has just written (events, their alerts, and the memberships of
        incidents that resulted from these) into the same tables and indexes of a new store, 200 events per
        transaction, and do nothing else.`,
      `During ingest: single events are sent at 80 % of the rate that the row above has just reached, while one
        connection reads 50 pages per second from the start of the feed. The rate of events is the one that was
        reached.`,
      `Pages of the feed are read one after the other over one connection: a short feed as a whole, a long one at
        its start and near its end. Server time is the mean of the service's own histogram.`,
      `The longest pause of the event loop is measured inside the service, on its main thread, by a timer that fires
        every millisecond.`,
      `Cores are user and system time of all threads of a process over wall time. CPU per event is the time of the
        service and its store together. Memory is the largest resident size since the start of the process.`,
    ],
  };
}
