import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleRecorder } from '../figures.ts';
import { type CallableProcess, startCallable } from '../process-calls.ts';
import type { NodeEchoCalls } from '../servers/node-http-echo.ts';
import type { AgentOptions } from './agent-options.ts';
import { AGENT_ROWS, RECORDERS } from './agent-rows.ts';
import type { BareCalls } from './bare-process.ts';
import type { DeviceCalls } from './device-process.ts';

/** What every measurement of the agent needs. */
export interface AgentBench {
  readonly options: AgentOptions;
  readonly recorder: SampleRecorder;
  readonly directory: string;
  /** Returns a device that is not enrolled yet, with a new directory. */
  newDevice(): Device;
}

type Device = Parameters<DeviceCalls['enrol']>[0];

/** Decisions, and a loop that appends as many bytes for each. */
export async function measureRecording({ options, recorder, directory, newDevice }: AgentBench) {
  const window = { seconds: options.seconds, warmUp: options.warmUp };
  for (const fsync of ['always', 'never'] as const) {
    let bytes = 0;
    for (const recorders of RECORDERS) {
      const sample = await withEnrolled(newDevice(), (process, device) =>
        process.call('record', { ...device, fsync, recorders, window }),
      );
      recorder.record(AGENT_ROWS.record(fsync, recorders), sample);
      bytes ||= Math.round(sample.bytesEach);
    }
    const path = join(directory, 'bare-append');
    const bare = await withBare((process) => process.call('append', { path, bytes, fsync, window }));
    recorder.record(AGENT_ROWS.append(fsync), bare);
    if (fsync === 'never') continue;
    const pooled = await withBare((process) => process.call('appendOnPool', { path, bytes, window }));
    recorder.record(AGENT_ROWS.pooledAppend, pooled);
  }
}

/** Events uploaded to the service, and bodies of the same lengths posted to an echo server. */
export async function measureUpload({ options, recorder, newDevice }: AgentBench) {
  const { uploads: events } = options;
  const { eventsPerSecond, bodies } = await withEnrolled(newDevice(), async (process, device) => {
    await process.call('fill', { ...device, events });
    return process.call('upload', { ...device, events });
  });
  recorder.record(AGENT_ROWS.upload, { eventsPerSecond });

  const echo = startCallable<NodeEchoCalls>('./servers/node-http-echo.ts');
  try {
    const url = `${await echo.call('listen')}/echo`;
    const seconds = await withBare((process) => process.call('post', { url, bodies }));
    recorder.record(AGENT_ROWS.echo, { eventsPerSecond: events / seconds });
  } finally {
    await echo.stop();
  }
}

/** Memory while events accumulate, and while a new process opens them. */
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

const withDevice = <Result>(work: (process: CallableProcess<DeviceCalls>) => Promise<Result>) =>
  withProcess('./agent/device-process.ts', work);

const withBare = <Result>(work: (process: CallableProcess<BareCalls>) => Promise<Result>) =>
  withProcess('./agent/bare-process.ts', work);

async function withProcess<Calls extends DeviceCalls | BareCalls, Result>(
  script: string,
  work: (process: CallableProcess<Calls>) => Promise<Result>,
): Promise<Result> {
  const process = startCallable<Calls>(script);
  try {
    return await work(process);
  } finally {
    await process.stop();
  }
}
