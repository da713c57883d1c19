import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc: 100 on every Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** Measures the user and system time of a process and all its children during some work, from /proc (Linux). */
export async function withCpuSeconds<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; cpuSeconds: number }> {
  const before = cpuSecondsOf(pid);
  const result = await work();
  return { result, cpuSeconds: cpuSecondsOf(pid) - before };
}

/** Measures how many cores each of these processes keeps busy during some work; 1 is one full core. */
export async function withCores<Name extends string, Result>(
  pids: Readonly<Partial<Record<Name, number>>>,
  work: () => Promise<Result>,
): Promise<{ result: Result; cores: Partial<Record<Name, number>> }> {
  const named = Object.entries(pids) as [Name, number][];
  const before = named.map(([, pid]) => cpuSecondsOf(pid));
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const cores = named.map(([name, pid], at) => [name, (cpuSecondsOf(pid) - (before[at] ?? 0)) / seconds]);
  return { result, cores: Object.fromEntries(cores) as Partial<Record<Name, number>> };
}

/** Returns the largest resident size of a process so far, in bytes. */
export function peakBytesOf(pid: number): number {
  return bytesOf(pid, 'VmHWM');
}

/** Returns the resident size of a process, in bytes. */
export function residentBytesOf(pid: number): number {
  return bytesOf(pid, 'VmRSS');
}

function bytesOf(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Adds up the process, its ended children and its running children: PostgreSQL has one per connection. */
function cpuSecondsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const living = children.map((child) => ticksOf(Number(child)).own);
  const { own, ofEndedChildren } = ticksOf(pid);
  return living.reduce((sum, ticks) => sum + ticks, own + ofEndedChildren) / TICKS_PER_SECOND;
}

function ticksOf(pid: number): { own: number; ofEndedChildren: number } {
  // The name in parentheses may contain blanks. After it, utime, stime, cutime and cstime are fields 12 to 15
  // (proc_pid_stat(5) counts from the pid: 14 to 17).
  const stat = readStat(pid);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (at: number) => Number(fields[at] ?? 0);
  return { own: ticks(11) + ticks(12), ofEndedChildren: ticks(13) + ticks(14) };
}

/** Returns an empty text for a child that has just ended: its time is in the figures of its parent. */
function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
