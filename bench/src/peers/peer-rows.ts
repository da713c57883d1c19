import type { SampleRecorder } from '../figures.ts';
import type { Table } from '../report/tables.ts';
import type { TargetResult, Targets } from '../report/targets.ts';
import { ROWS } from '../requests/request-rows.ts';
import type { QueueShape } from '../webhooks/queue-shape.ts';
import { WEBHOOK_ROWS } from '../webhooks/webhook-rows.ts';
import type { PeerVersions } from './install-peers.ts';

/** 64 requests at a time, the most that the service sends: 8 per receiver, 16 per tenant. */
export const PEER_QUEUE: QueueShape = {
  receivers: 10,
  tenants: 10,
  holdsEvery: undefined,
  isLong: false,
  isCountedWhole: false,
  isExtra: false,
};

/** The rows of the table. The text before the colon begins with the name of the server. */
export const PEER_ROWS = {
  ingestOnPostgres: 'service, PostgreSQL: POST /events',
  parsePlain: 'Parse Server: save',
  parseVerified: 'Parse Server: verify, save',
  parseDerived: 'Parse Server: verify, save, 2 derived rows',
  ingestOnSqlite: 'service, SQLite: POST /events',
  restateCall: 'Restate: call, verify, result',
  restateSend: 'Restate: /send, verified after the answer',
  pushOnPostgres: 'service, PostgreSQL: deliveries',
  graphilePush: 'graphile-worker: deliveries',
  pushOnSqlite: 'service, SQLite: deliveries',
  restatePush: 'Restate: deliveries',
} as const;
type PeerRow = (typeof PEER_ROWS)[keyof typeof PEER_ROWS];

/** The names that the benchmarks of the service give its rows. */
const SERVICE_ROWS: Readonly<Record<string, PeerRow>> = {
  [ROWS.single('postgres')]: PEER_ROWS.ingestOnPostgres,
  [ROWS.single('sqlite')]: PEER_ROWS.ingestOnSqlite,
  [WEBHOOK_ROWS.service('postgres', PEER_QUEUE)]: PEER_ROWS.pushOnPostgres,
  [WEBHOOK_ROWS.service('sqlite', PEER_QUEUE)]: PEER_ROWS.pushOnSqlite,
};

interface PeerRowNotes {
  /** The row of the service with which a row is compared. It has the same store; for Restate, an embedded one. */
  readonly base: PeerRow;
  /** What is on disk when the response is sent, or when a delivery counts as done. */
  readonly onDisk: string;
}

const NOTES: Readonly<Record<PeerRow, PeerRowNotes>> = {
  [PEER_ROWS.ingestOnPostgres]: { base: PEER_ROWS.ingestOnPostgres, onDisk: 'fsync: all rows together' },
  [PEER_ROWS.parsePlain]: { base: PEER_ROWS.ingestOnPostgres, onDisk: 'fsync: event' },
  [PEER_ROWS.parseVerified]: { base: PEER_ROWS.ingestOnPostgres, onDisk: 'fsync: event' },
  [PEER_ROWS.parseDerived]: { base: PEER_ROWS.ingestOnPostgres, onDisk: 'fsync: each row by itself' },
  [PEER_ROWS.ingestOnSqlite]: { base: PEER_ROWS.ingestOnSqlite, onDisk: 'fsync: all rows together' },
  [PEER_ROWS.restateCall]: { base: PEER_ROWS.ingestOnSqlite, onDisk: 'fsync: request and result' },
  [PEER_ROWS.restateSend]: { base: PEER_ROWS.ingestOnSqlite, onDisk: 'fsync: request' },
  [PEER_ROWS.pushOnPostgres]: { base: PEER_ROWS.pushOnPostgres, onDisk: 'fsync: result' },
  [PEER_ROWS.graphilePush]: { base: PEER_ROWS.pushOnPostgres, onDisk: 'fsync: removal of the job' },
  [PEER_ROWS.pushOnSqlite]: { base: PEER_ROWS.pushOnSqlite, onDisk: 'fsync: result' },
  [PEER_ROWS.restatePush]: { base: PEER_ROWS.pushOnSqlite, onDisk: 'fsync: result' },
};

/** Records the rows of the service under their names in this table. The bare loops beside them are left out. */
export function toPeerRecorder(recorder: SampleRecorder): SampleRecorder {
  return {
    ...recorder,
    record(row, sample) {
      const name = SERVICE_ROWS[row];
      if (name !== undefined) recorder.record(name, sample);
    },
    median: (row, figure) => recorder.median(SERVICE_ROWS[row] ?? row, figure),
  };
}

export function toPeerTable(recorder: SampleRecorder, versions: PeerVersions): Table {
  const measured = recorder.rows();
  const lines = Object.values(PEER_ROWS)
    .filter((row) => measured.includes(row))
    .map((row) => {
      const { base, onDisk } = NOTES[row];
      return [
        row,
        recorder.median(row, toRate(row))?.toLocaleString('en', { maximumFractionDigits: 0 }) ?? '',
        recorder.median(row, 'p99Ms')?.toFixed(1) ?? '',
        recorder.median(row, 'cpuMicros')?.toFixed(0) ?? '',
        recorder.ratio(toRate(row), base, row)?.toFixed(1) ?? '',
        recorder.ratio('cpuMicros', row, base)?.toFixed(1) ?? '',
        onDisk,
        versions[row.split(/[,:]/)[0] ?? ''] ?? '',
      ];
    });
  const headings = ['per second', 'p99 ms', 'CPU µs each', 'service / it', 'CPU: it / service', 'on disk'];
  return [['', ...headings, 'version'], ...lines];
}

function toRate(row: PeerRow) {
  return row.endsWith('deliveries') ? 'deliveriesPerSecond' : 'requestsPerSecond';
}

/** Ten times Parse Server with work that is closest to that of the service, on the same PostgreSQL. */
export function judgePeers({ ratio }: Targets): TargetResult[] {
  return ratio('requestsPerSecond', PEER_ROWS.ingestOnPostgres, { row: PEER_ROWS.parseDerived, min: 10 });
}
