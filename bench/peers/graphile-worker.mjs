import { Logger, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { serveCalls } from '../src/process-calls.ts';
import { deliver } from './deliver.mjs';

const logger = new Logger(() => () => {});

const calls = {
  /**
   * Adds a job for each delivery, all in one transaction, with the function that the library has for this.
   *
   * @param {{ databaseUrl: string, deliveries: readonly { url: string, id: string, body: string }[] }} options
   */
  async fill({ databaseUrl, deliveries }) {
    await runMigrations({ connectionString: databaseUrl, logger });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(
        `select count(graphile_worker.add_job('deliver', payload)) from json_array_elements($1::json) as payload`,
        [JSON.stringify(deliveries)],
      );
      await client.query('analyze');
    } finally {
      await client.end();
    }
  },
  /**
   * Starts to deliver, and does not wait for the end.
   *
   * @param {{ databaseUrl: string, poolSize: number, concurrency: number }} options
   */
  async startDelivering({ databaseUrl, poolSize, concurrency }) {
    await run({
      logger,
      noHandleSignals: true,
      // Failed jobs are retried with exponential backoff: the default.
      taskList: { deliver: (delivery) => deliver(delivery) },
      preset: {
        worker: {
          connectionString: databaseUrl,
          maxPoolSize: poolSize,
          concurrentJobs: concurrency,
          pollInterval: 500,
          // Claims and results in batches, as the chapter on performance of its manual recommends.
          localQueue: { size: 500 },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
    });
  },
};

serveCalls(calls);
