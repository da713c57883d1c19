import type { Inspection } from '../analysis/analysis.ts';
import { inspectPlain } from '../analysis/analyze-content.ts';
import { withDoubt } from '../analysis/confidence.ts';
import type { BytesContent, PlainContent } from '../content.ts';
import type { Finding } from '../finding.ts';
import type { Models } from '../model/models.ts';
import { toTextScale } from '../model/to-text-scale.ts';
import { addFinding, addHash, type FileAnalysis, startGathering, toInspection } from './file-analysis.ts';
import { FILE_LIMITS, type FileLimits, startBudget } from './file-limits.ts';
import { NO_TRUST, type TrustList } from './media/trust-list.ts';
import { readPart } from './read-file.ts';

/** Looks through the bytes of a file by rules of its own, such as YARA's or those of an antivirus. */
export interface ByteScanner {
  readonly name: 'yara' | 'clamav';
  /** Rejects when it could not look; the file then counts as not looked at by it. */
  readonly scan: (bytes: Uint8Array, signal: AbortSignal) => Promise<Finding[]>;
}

export interface InspectBytesOptions {
  /** Judge the texts and links found inside, which without them is said to be missing. */
  readonly models: Models | undefined;
  readonly limits?: Partial<FileLimits>;
  /** Whose statements on the origin of media count. Nobody's, unless given. */
  readonly trust?: TrustList;
  /** Look at the file as a whole, one after the other. */
  readonly scanners?: readonly ByteScanner[];
}

/**
 * Reads a file or a piece of media by what its bytes are, whatever its name says: hashes of it and of the files within,
 * the words, links and apps found in it, and what its form gives away. Reads no more than its limits allow; what stays
 * unread or cannot be judged at all stands in `unsupported`. Never rejects, runs nothing, fetches nothing.
 */
export async function inspectBytes(
  { type, bytes, filename, context }: BytesContent,
  { models, limits: given, trust = NO_TRUST, scanners = [] }: InspectBytesOptions,
): Promise<Inspection> {
  const limits = { ...FILE_LIMITS, ...given };
  const budget = startBudget(limits);
  const gathered = startGathering({
    budget,
    inspectPlain: (content) => {
      const inspection = inspectWithin(content, models);
      // Beside whatever else has a score: no text and no link was judged.
      if (!models && inspection.unsupported !== undefined) gathered.unjudged.add(inspection.unsupported);
      return inspection;
    },
    context,
  });
  if (bytes.length === 0) gathered.unjudged.add('it is empty');
  if (bytes.length > limits.inputBytes) {
    addHash(bytes, gathered);
    gathered.unjudged.add('it is too large to be read');
    return toInspection(type, gathered);
  }
  try {
    await readPart({ bytes, name: filename?.slice(0, 1024), depth: 0 }, { gathered, budget, trust });
  } catch {
    // Each reader answers for its own format. Should one fail all the same, what was found so far stands.
    gathered.unjudged.add('it is damaged in a way that cannot be read');
  }
  const signal = AbortSignal.timeout(limits.timeMs);
  for (const scanner of scanners) await scanWith(scanner, { bytes, signal, gathered });
  return toInspection(type, gathered);
}

/** A link in a file counts as much as in a message. */
function inspectWithin(content: PlainContent, models: Models | undefined): Inspection {
  const inspection = inspectPlain(content, models);
  if (content.type !== 'url' || inspection.score === undefined || !models) return inspection;
  const rescale = (confidence: number) => toTextScale(confidence, models.thresholds);
  const findings = inspection.findings.map((finding) => withDoubt(finding, rescale));
  return { ...inspection, findings, score: rescale(inspection.score) };
}

async function scanWith(
  scanner: ByteScanner,
  { bytes, signal, gathered }: { bytes: Uint8Array; signal: AbortSignal; gathered: FileAnalysis },
): Promise<void> {
  try {
    for (const finding of await scanner.scan(bytes, signal)) addFinding(finding, gathered);
  } catch {
    gathered.unjudged.add(`the configured scanner (${scanner.name}) could not look at it`);
  }
}
