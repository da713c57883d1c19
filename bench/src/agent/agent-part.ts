import { join } from 'node:path';
import { createPart, repeatRounds } from '../run-bench.ts';
import { startService } from '../servers/service-process.ts';
import { AGENT_OPTIONS, type AgentOptions } from './agent-options.ts';
import { AGENT_ROWS, RECORDERS } from './agent-rows.ts';
import { measureBuffer, measureRecording, measureUpload } from './measure-agent.ts';

/** The device agent beside bare loops that write and send the same bytes. */
export const AGENT_PART = createPart({
  table: AGENT_OPTIONS,
  async measure({ options, recorder, stores, atEnd }) {
    const service = await startService((await stores.create('sqlite')).url);
    atEnd(() => service.stop());
    const { credential, tenantId } = await service.tenant();
    let devices = 0;
    const newDevice = () => {
      devices += 1;
      const directory = join(stores.directory, `device-${devices}`);
      return { baseUrl: service.baseUrl, credential, tenantId, directory };
    };
    const bench = { options, recorder, directory: stores.directory, newDevice };
    await repeatRounds(options.repeats, async () => {
      if (options.groups.includes('record')) await measureRecording(bench);
      if (options.groups.includes('upload')) await measureUpload(bench);
      if (options.groups.includes('buffer')) await measureBuffer(bench);
    });
  },
  judge({ ratio }) {
    const base = { row: AGENT_ROWS.append('always'), min: 0.6 };
    return RECORDERS.flatMap((recorders) =>
      ratio('eventsPerSecond', AGENT_ROWS.record('always', recorders), base),
    );
  },
  page: { part: 'agent', subject: 'the agent', command: 'npm run bench:agent', explain },
});

function explain({ repeats, seconds, warmUp, uploads, buffered }: AgentOptions) {
  const rounds = repeats === 1 ? 'one round' : `the median of ${repeats} rounds`;
  return {
    summary: `Every figure is ${rounds}.`,
    method: [
      `Each row is a separate process with an enrolled agent, opened by \`openNodeAgent\`; only the upload uses the
        network. A decision is one call of \`record\`: policy, event, encryption, local log. A timed window is
        ${seconds} s, after ${warmUp} s of the same work.`,
      `"Bare append" is a loop of \`writeSync\`, with \`fdatasyncSync\` where the agent syncs. It appends as many
        bytes as one record of the agent takes on disk, and does nothing else. It blocks its process, which the
        agent never does; the row below it is the same loop on the thread pool.`,
      `With 16 concurrent decisions the agent syncs once for all waiting records, so it can be faster than a loop
        that syncs for each.`,
      `Syncing on the main thread instead of the thread pool was tried. The ratios were 0.48 and 0.51 one after the
        other, but only 1.6 and 1.8 with 16 at once, and a slow disk blocks the application. Syncing therefore stays
        on the pool.`,
      `Upload: ${uploads.toLocaleString('en')} waiting events are redacted, signed with Ed25519 and sent in batches,
        one request at a time, to the service on SQLite, which verifies, validates, derives and stores; each answer
        is recorded on disk. The bare posts are bodies of the same lengths, in the same order, to a \`node:http\`
        server that parses and returns them.`,
      `Memory: the growth of heap and resident size, after a full garbage collection, when
        ${buffered.toLocaleString('en')} events are recorded and not uploaded, and when a new process opens their
        store.`,
    ],
  };
}
