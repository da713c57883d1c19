import type { Config } from '../../config/config.ts';
import type { ConnectionLimits } from './connection-guard.ts';

/** Enough for a large fleet on one node; more connections would need more memory than a node usually has. */
const USUAL_TOTAL = 10_000;
const USUAL_PER_ADDRESS = 512;
/**
 * Descriptors for everything else: files of the store (8), threads and libraries (40), deliveries (64), name
 * resolution, scans, metrics (16), and connections that are refused (each needs one for a moment).
 */
const RESERVED = 224;
/** Even a process with very few descriptors serves some clients. */
const MIN_TOTAL = 16;

/**
 * Returns how many connections a node accepts: the configured numbers, as far as the process has descriptors for
 * them.
 */
export function toConnectionLimits(
  { connections, rateLimit, database }: Pick<Config, 'connections' | 'rateLimit' | 'database'>,
  descriptors: number | undefined,
): ConnectionLimits {
  const available = (descriptors ?? Number.POSITIVE_INFINITY) - RESERVED - database.poolSize;
  const total = Math.min(connections.total ?? USUAL_TOTAL, Math.max(MIN_TOTAL, available));
  // A proxy in front holds all connections.
  const usual = rateLimit.trustProxy ? total : Math.min(USUAL_PER_ADDRESS, Math.ceil(total / 2));
  return { total, perAddress: connections.perAddress ?? usual };
}

/** Returns how many files and sockets this process may have open; undefined where the system sets no such limit. */
export function readDescriptorLimit(): number | undefined {
  // Otherwise the report resolves the names of all open connections. Node's types do not have this yet.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}
