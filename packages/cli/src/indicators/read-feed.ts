import { basename } from 'node:path';
import type { ThreatIndicator } from '@tps/client';
import type { ImportOptions, ImportResult, IndicatorFormat } from '@tps/detection/indicators';
import type { CommandContext } from '../command-context.ts';
import { readNamedBytes } from '../connection/read-named-file.ts';
import { usageError } from '../output/command-error.ts';
import { fetchFeed, MAX_FEED_BYTES, toFeedUrl } from './fetch-feed.ts';

/** Options about a file of indicators. */
export interface FeedFlags {
  readonly format: IndicatorFormat | 'auto';
  readonly source?: string;
  readonly category?: ThreatIndicator['category'];
  readonly threatType?: string;
  readonly confidence?: number;
  readonly validDays?: number;
  readonly type?: ThreatIndicator['type'];
  readonly column?: string;
  readonly allowWellKnown?: true;
  /** File with the indicators to skip. */
  readonly except?: string;
}

export interface Feed extends ImportResult {
  readonly source: string;
  readonly format: IndicatorFormat;
}

const DAY_MS = 86_400_000;
const ADDRESS = /^https?:\/\//i;

/**
 * Reads indicators from a file, the standard input or an https address.
 *
 * @throws CommandError when the format is unknown or not valid
 */
export async function readFeed(context: CommandContext, from: string, flags: FeedFlags): Promise<Feed> {
  const address = ADDRESS.test(from) ? toFeedUrl(from) : undefined;
  const source = flags.source ?? nameOf(from, address);
  const bytes = address ? await fetchFeed(from) : await readNamedBytes(context, from, MAX_FEED_BYTES);
  // Loaded only when it is needed: completion and help start faster without it.
  const { detectFormat, importIndicators, ImportError } = await import('@tps/detection/indicators');
  // The query of an address, which may contain a key, is not part of the file name.
  const filename = basename(address?.pathname ?? from);
  const format = flags.format === 'auto' ? detectFormat(filename, bytes) : flags.format;
  if (format === undefined) throw usageError('The file is not text. Unpack an archive first.');
  try {
    const exceptions = flags.except === undefined ? {} : await readExcepted(context, flags.except);
    const options = { source, ...(await toImportOptions(flags)), ...exceptions };
    return { source, format, ...importIndicators(bytes, { format, ...options }) };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw usageError(`Cannot parse the file as ${format}: ${error.message}. Try another --format.`);
  }
}

/** @throws CommandError also when one entry is not valid: a typing error must not let an excepted indicator in */
async function readExcepted(
  context: CommandContext,
  file: string,
): Promise<Pick<ImportOptions, 'isExcepted'>> {
  const bytes = await readNamedBytes(context, file, MAX_FEED_BYTES);
  const { ImportError, readExceptions } = await import('@tps/detection/indicators');
  try {
    const { has, size, skipped } = readExceptions(basename(file), bytes);
    const [first] = skipped;
    if (first) throw usageError(`The exception at ${first.where} is not valid: ${first.why}.`);
    if (size === 0) throw usageError('The file of --except contains no exception.');
    return { isExcepted: has };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw usageError(`Cannot parse the file of --except: ${error.message}.`);
  }
}

async function toImportOptions(flags: FeedFlags): Promise<Omit<ImportOptions, 'source'>> {
  const { category, threatType, confidence, validDays, type, column, allowWellKnown } = flags;
  return {
    ...(allowWellKnown === undefined ? {} : { wellKnown: allowWellKnown }),
    ...(category === undefined ? {} : { category }),
    ...(threatType === undefined ? {} : { threatType: await toThreatType(threatType) }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(validDays === undefined ? {} : { validUntilMs: Date.now() + validDays * DAY_MS }),
    ...(type === undefined ? {} : { type }),
    ...(column === undefined ? {} : { column: /^\d{1,4}$/.test(column) ? Number(column) : column }),
  };
}

async function toThreatType(name: string): Promise<NonNullable<ImportOptions['threatType']>> {
  const { THREAT_TYPES } = await import('@tps/detection');
  const known = Object.keys(THREAT_TYPES) as (keyof typeof THREAT_TYPES)[];
  const found = known.find((one) => one === name);
  if (found) return found;
  throw usageError(`Unknown threat type ${name}. Use one of ${known.join(', ')}.`);
}

/** Returns the name of the file without its extension, or the host of the address. */
function nameOf(from: string, address: URL | undefined): string {
  if (from === '-') throw usageError('--source is required.');
  const name = address?.hostname ?? basename(from).replace(/\.[A-Za-z0-9]+$/, '');
  const source = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  if (source === '') throw usageError('--source is required.');
  return source;
}
