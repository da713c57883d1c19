import type { ErrorCode } from '@tps/contract';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { AppendThread } from './ingest/append-thread.ts';
import type { EventWriter } from './ingest/event-writer.ts';
import type { EventStreams } from './stream/event-streams.ts';

/** Counts events by what became of them. */
export interface EventCounter {
  accepted(result: 'stored' | 'duplicate'): void;
  /** Counts a refused event, or a refused request: how many events that had is not known. */
  refused(reason: ErrorCode): void;
}

export function createEventCounter(metrics: Metrics): EventCounter {
  const accepted = metrics.counter({
    name: 'tps_events_accepted_total',
    help: 'Events that were accepted, by result: stored, or duplicate of a stored one.',
    labels: ['result'],
  });
  for (const result of ['stored', 'duplicate']) accepted.inc({ result }, 0);
  const refused = metrics.counter({
    name: 'tps_events_refused_total',
    help: 'Events that were refused, by error code. A request that is refused as a whole counts as one.',
    labels: ['reason'],
  });
  // From the start, so that the first ones are an increase.
  for (const reason of ['unavailable', 'internal_error', 'rate_limited']) refused.inc({ reason }, 0);
  return {
    accepted: (result) => accepted.inc({ result }),
    refused: (reason) => refused.inc({ reason }),
  };
}

/** Adds the metrics of the writer thread. Returns what observes it. */
export function registerWriterMetrics(
  metrics: Metrics,
): Pick<ConstructorParameters<typeof AppendThread>[0], 'onGroup' | 'onRestart'> {
  const groups = metrics.histogram(
    {
      name: 'tps_event_group_duration_seconds',
      help: 'Time from sending a group of events to the writer thread until its answer, by outcome: appended or failed.',
      labels: ['outcome'],
    },
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  );
  for (const outcome of ['appended', 'failed']) groups.zero({ outcome });
  const restarts = metrics.counter({
    name: 'tps_event_writer_restarts_total',
    help: 'Writer threads that ended or did not respond, and were replaced.',
  });
  return {
    onGroup: ({ outcome, seconds }) => groups.observe({ outcome }, seconds),
    onRestart: () => restarts.inc(),
  };
}

/** Adds the gauges of events under way. */
export function registerEventGauges(
  metrics: Metrics,
  { eventWriter, streams }: { eventWriter: EventWriter; streams: EventStreams },
): void {
  metrics.gauge({ name: 'tps_events_waiting', help: 'Requests whose events are not yet on disk.' }, () =>
    eventWriter.waiting(),
  );
  metrics.gauge({ name: 'tps_event_streams', help: 'Open streams of events.' }, () => streams.open);
  metrics.gauge(
    {
      name: 'tps_event_stream_lag_events',
      help: 'Positions by which the slowest open stream is behind the end of the feed that this process knows.',
    },
    () => streams.lag(),
  );
}
