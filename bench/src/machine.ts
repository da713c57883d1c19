import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import type { Times } from './time-each.ts';

/** Describes the machine for whoever reads the figures elsewhere. */
export function describeMachine(flush: Times): string[] {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return [
    `${model}, ${cpus().length} cores, ${gigabytes} GB of memory, Linux ${release()}${virtualised()}`,
    `Node ${process.versions.node} (V8 ${process.versions.v8}, OpenSSL ${process.versions.openssl})`,
    `appending 4 KB and fdatasync: ${flush.p50Ms.toFixed(2)} ms (p99 ${flush.p99Ms.toFixed(2)} ms)`,
  ];
}

function virtualised(): string {
  return readFileSync('/proc/cpuinfo', 'utf8').includes('hypervisor') ? ', a virtual machine' : '';
}
