import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CallableProcess, startCallable } from '../process-calls.ts';
import type { Recorder } from '../recorder.ts';
import type { NodeEchoCalls } from '../servers/node-http-echo.ts';
import type { AgentBenchOptions } from './agent-options.ts';
import { AGENT_ROWS, RECORDERS } from './agent-rows.ts';
import type { BareCalls } from './bare-process.ts';
import type { DeviceCalls } from './device-process.ts';

/** What every measurement of the agent needs. */
export interface AgentBench {
  readonly options: AgentBenchOptions;
  readonly recorder: Recorder;
  readonly directory: string;
  /** Names a device that is not enrolled yet, with a directory of its own. */
  newDevice(): Device;
}

type Device = Parameters<DeviceCalls['enrol']>[0];

/** Decisions recorded, and beside them a loop that appends as many bytes for each. */
export async function measureRecording({ options, recorder, directory, newDevice }: AgentBench) {
  const { seconds } = options;
  for (const fsync of ['always', 'never'] as const) {
    let bytes = 0;
    for (const recorders of RECORDERS) {
      const sample = await withEnrolled(newDevice(), (process, device) =>
        process.call('record', { ...device, fsync, recorders, seconds }),
      );
      recorder.record(AGENT_ROWS.record(fsync, recorders), sample);
      bytes ||= Math.round(sample.bytesEach);
    }
    const path = join(directory, 'bare-append');
    const bare = await withBare((process) => process.call('append', { path, bytes, fsync, seconds }));
    recorder.record(AGENT_ROWS.append(fsync), bare);
    if (fsync === 'never') continue;
    const patient = await withBare((process) => process.call('appendPatiently', { path, bytes, seconds }));
    recorder.record(AGENT_ROWS.patientAppend, patient);
  }
}

/** Events uploaded to the service, and beside it posts of bodies of the same lengths to a server that echoes them. */
export async function measureUpload({ options, recorder, newDevice }: AgentBench) {
  const { uploads: events } = options;
  const { eventsPerSecond, bodies } = await withEnrolled(newDevice(), async (process, device) => {
    await process.call('fill', { ...device, events });
    return process.call('upload', { ...device, events });
  });
  recorder.record(AGENT_ROWS.upload, { eventsPerSecond });

  const echo = startCallable<NodeEchoCalls>('./servers/node-http-echo.js');
  try {
    const url = `${await echo.call('listen')}/echo`;
    const seconds = await withBare((process) => process.call('post', { url, bodies }));
    recorder.record(AGENT_ROWS.echo, { eventsPerSecond: events / seconds });
  } finally {
    await echo.stop();
  }
}

/** Memory while events pile up, and opening them again in a new process. */
export async function measureBuffer({ options, recorder, newDevice }: AgentBench) {
  const { buffered: events } = options;
  const device = newDevice();
  try {
    const filled = await withDevice(async (process) => {
      await process.call('enrol', device);
      return process.call('fill', { ...device, events });
    });
    recorder.record(AGENT_ROWS.fill(events), filled);
    const opened = await withDevice((process) => process.call('open', { ...device, events }));
    recorder.record(AGENT_ROWS.open(events), opened);
  } finally {
    rmSync(device.directory, { recursive: true, force: true });
  }
}

async function withEnrolled<Result>(
  device: Device,
  work: (process: CallableProcess<DeviceCalls>, device: Device) => Promise<Result>,
): Promise<Result> {
  try {
    return await withDevice(async (process) => {
      await process.call('enrol', device);
      return work(process, device);
    });
  } finally {
    rmSync(device.directory, { recursive: true, force: true });
  }
}

async function withDevice<Result>(
  work: (process: CallableProcess<DeviceCalls>) => Promise<Result>,
): Promise<Result> {
  const process = startCallable<DeviceCalls>('./agent/device-process.js');
  try {
    return await work(process);
  } finally {
    await process.stop();
  }
}

async function withBare<Result>(
  work: (process: CallableProcess<BareCalls>) => Promise<Result>,
): Promise<Result> {
  const process = startCallable<BareCalls>('./agent/bare-process.js');
  try {
    return await work(process);
  } finally {
    await process.stop();
  }
}
