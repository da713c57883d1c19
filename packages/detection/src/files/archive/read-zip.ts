import type { Finding } from '../../finding.ts';
import { endingOf, isProgramEnding } from '../disguised-name.ts';
import type { Contents, FilePart } from '../file-contents.ts';
import { fileFinding } from '../file-finding.ts';
import { type Budget, isTimeUp } from '../file-limits.ts';
import { UNREAD_REASONS } from '../unread-reasons.ts';
import { type InflateResult, inflateWithin } from './inflate.ts';
import { readZipDirectory, type ZipDirectory, type ZipEntry } from './zip-directory.ts';

const STORED = 0;
const DEFLATED = 8;
/** Some tools compress the empty body of a directory entry. */
const EMPTY_DEFLATED = 5;

/** An opened zip archive, with its directory. */
export interface Zip extends ZipDirectory {
  readonly bytes: Uint8Array;
  readonly kind: 'apk' | 'ooxml' | 'odf' | 'jar' | 'zip';
}

/** Opens a zip archive within the budget's remaining entries. Undefined for a damaged archive. */
export function openZip(bytes: Uint8Array, budget: Budget): Zip | undefined {
  const directory = readZipDirectory(bytes, budget.entriesLeft);
  if (directory === undefined) return undefined;
  budget.entriesLeft -= directory.entries.length;
  const names = new Set(directory.entries.map(({ name }) => name));
  return { ...directory, bytes, kind: kindOf(names) };
}

function kindOf(names: ReadonlySet<string>): Zip['kind'] {
  if (names.has('AndroidManifest.xml')) return 'apk';
  if (names.has('[Content_Types].xml')) return 'ooxml';
  if (names.has('mimetype') && names.has('META-INF/manifest.xml')) return 'odf';
  return names.has('META-INF/MANIFEST.MF') ? 'jar' : 'zip';
}

/** Finds an entry by name and unpacks it within the budget. Undefined if no such entry can be unpacked. */
export function unpackEntry(zip: Zip, name: string, budget: Budget): Uint8Array | undefined {
  const entry = zip.entries.find((one) => one.name === name);
  return entry && unpack(entry, budget).bytes;
}

/** Unpacks an entry as far as the budget allows, and notes why the result is incomplete. */
export function unpackAndNote(entry: ZipEntry, budget: Budget, unread: Set<string>): Uint8Array {
  if (entry.isEncrypted) {
    unread.add(UNREAD_REASONS.locked);
    return entry.packed.subarray(0, 0);
  }
  const { bytes, stopped } = unpack(entry, budget);
  if (stopped !== undefined) unread.add(UNREAD_REASONS[stopped]);
  return bytes;
}

/** Reads a plain zip archive: the files in it, and suspicious signs in its structure. */
export function readZip(zip: Zip, budget: Budget): Contents {
  const { entries, hasMore, overlaps } = zip;
  const files = entries.filter(({ name, packed }) => !name.endsWith('/') || packed.length > EMPTY_DEFLATED);
  const unread = new Set<string>();
  if (hasMore) unread.add(UNREAD_REASONS.many);
  if (zip.disagrees) unread.add(UNREAD_REASONS.disagrees);
  if (overlaps) return { findings: [fileFinding('unpacking_bomb')], unread: () => 'its entries overlap' };
  return {
    findings: archiveFindings(files),
    parts: unpackAll(files, budget, unread),
    unread: () => [...unread][0],
  };
}

/** What the names in an archive reveal. */
function archiveFindings(files: readonly ZipEntry[]): Finding[] {
  const programs = files.filter(({ name }) => isProgramEnding(endingOf(name)));
  if (programs.some(({ isEncrypted }) => isEncrypted)) return [fileFinding('locked_program_inside')];
  return programs.length > 0 && programs.length === files.length ? [fileFinding('only_program_inside')] : [];
}

function* unpackAll(
  files: readonly ZipEntry[],
  budget: Budget,
  unread: Set<string>,
): Generator<Omit<FilePart, 'depth'>> {
  for (const entry of files) {
    if (isTimeUp(budget)) {
      unread.add(UNREAD_REASONS.time);
      return;
    }
    yield { bytes: unpackAndNote(entry, budget, unread), name: entry.name };
  }
}

function unpack(entry: ZipEntry, budget: Budget): UnpackResult {
  const unpacked = unpackPresent(entry, budget);
  return entry.isThere ? unpacked : { stopped: 'damaged', ...unpacked };
}

function unpackPresent({ method, packed }: ZipEntry, budget: Budget): UnpackResult {
  if (budget.bytesLeft <= 0) return { bytes: packed.subarray(0, 0), stopped: 'too_large' };
  if (method === DEFLATED) return inflateWithin(packed, budget);
  if (method !== STORED) return { bytes: packed.subarray(0, 0), stopped: 'method' };
  const bytes = packed.subarray(0, budget.bytesLeft);
  budget.bytesLeft -= bytes.length;
  return bytes.length < packed.length ? { bytes, stopped: 'too_large' } : { bytes };
}

interface UnpackResult {
  readonly bytes: Uint8Array;
  readonly stopped?: NonNullable<InflateResult['stopped']> | 'method';
}
