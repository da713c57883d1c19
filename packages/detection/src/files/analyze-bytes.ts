import type { Analysis } from '../analysis/analysis.ts';
import { analyzeContent } from '../analysis/analyze-content.ts';
import { rescaleFinding } from '../analysis/confidence.ts';
import type { BytesContent, ContentContext, PlainContent } from '../content.ts';
import type { Finding } from '../finding.ts';
import type { Models } from '../model/models.ts';
import { toTextScale } from '../model/to-text-scale.ts';
import {
  addClause,
  addFinding,
  addHash,
  type FileAnalysis,
  startFileAnalysis,
  toAnalysis,
} from './file-analysis.ts';
import { FILE_LIMITS, type FileLimits, startBudget } from './file-limits.ts';
import { NO_TRUST, type TrustList } from './media/trust-list.ts';
import { readPart } from './read-file.ts';

/** Scans the bytes of a file by external rules, such as YARA's or those of an antivirus. */
export interface ByteScanner {
  readonly name: 'yara' | 'clamav';
  /** Rejects when the scan failed; the file then counts as not scanned by it. */
  readonly scan: (bytes: Uint8Array, signal: AbortSignal) => Promise<Finding[]>;
}

export interface AnalyzeBytesOptions {
  /** Analyze the texts and links inside the file. Without models the analysis reports them as missing. */
  readonly models: Models | undefined;
  readonly limits?: Partial<FileLimits>;
  /** Whose statements on the origin of media are trusted (default: none). */
  readonly trust?: TrustList;
  /** Scan the file as a whole, one after the other. */
  readonly scanners?: readonly ByteScanner[];
}

/**
 * Reads a file or media by its bytes, regardless of its name: the hashes of it and of the files inside, the
 * words, links and apps found in it, and suspicious signs in its structure. Reads no more than its limits
 * allow; `unsupported` states what was not read or analyzed. Never rejects, runs nothing, fetches nothing.
 */
export async function analyzeBytes(
  { type, bytes, filename, context }: BytesContent,
  { models, limits: given, trust = NO_TRUST, scanners = [] }: AnalyzeBytesOptions,
): Promise<Analysis> {
  const limits = { ...FILE_LIMITS, ...given };
  const budget = startBudget(limits);
  const results = startFileAnalysis({
    budget,
    analyzeContent: (content) => {
      const analysis = analyzeWithin(content, models);
      // Stated even if another part has a score: no text and no link was analyzed.
      if (!models && analysis.unsupported !== undefined) addClause(results.gaps, analysis.unsupported);
      return analysis;
    },
    context: context && ofFile(context),
  });
  if (bytes.length === 0) addClause(results.gaps, 'it is empty');
  if (bytes.length > limits.inputBytes) {
    addHash(bytes, results);
    addClause(results.gaps, 'it is too large to be read');
    return toAnalysis(type, results);
  }
  try {
    const part = { bytes, name: filename?.slice(0, 1024), depth: 0 };
    await readPart(part, { results, budget, trust, isMedia: type === 'media' });
  } catch {
    // Each reader handles the errors of its format. If one fails nevertheless, the results so far remain.
    addClause(results.gaps, 'it is damaged and cannot be read');
  }
  const signal = AbortSignal.timeout(limits.timeMs);
  for (const scanner of scanners) await scanWith(scanner, { bytes, signal, results });
  return toAnalysis(type, results);
}

/** A link in a file counts as much as in a message. */
function analyzeWithin(content: PlainContent, models: Models | undefined): Analysis {
  const analysis = analyzeContent(content, models);
  if (content.type !== 'url' || analysis.score === undefined || !models) return analysis;
  const rescale = (confidence: number) => toTextScale(confidence, models.thresholds);
  const findings = analysis.findings.map((finding) => rescaleFinding(finding, rescale));
  return { ...analysis, findings, score: rescale(analysis.score) };
}

async function scanWith(
  scanner: ByteScanner,
  { bytes, signal, results }: { bytes: Uint8Array; signal: AbortSignal; results: FileAnalysis },
): Promise<void> {
  try {
    for (const finding of await scanner.scan(bytes, signal)) addFinding(finding, results);
  } catch {
    addClause(results.gaps, `the configured scanner (${scanner.name}) could not scan it`);
  }
}

/** The texts inside a file are not messages of the conversation in which it was sent. */
function ofFile({ channel, sender }: ContentContext): ContentContext {
  return { ...(channel !== undefined && { channel }), ...(sender !== undefined && { sender }) };
}
