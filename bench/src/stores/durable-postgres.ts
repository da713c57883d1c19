import { type EmbeddedPostgres, startEmbeddedPostgres } from '../service-internals.ts';

/** As a production server is set up that may lose nothing; the sizes are those of a small one. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
};

/** Starts a PostgreSQL below this directory that flushes to disk, unlike the one of the tests, which trades that for speed. */
export function startDurablePostgres(directory: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ directory, settings: SETTINGS });
}
