import {
  type Analysis,
  analyzeContent,
  type Content,
  type Models,
  type PlainContent,
  reportedIndicators,
} from '@tps/detection';
import type { ContentAnalysis } from './content-analysis.ts';

/** Analyzes a message, a link or an app. Blocks the thread for a time proportional to the length of the content. */
export function analyzePlain(content: PlainContent, models: Models | undefined): ContentAnalysis {
  return { analysis: analyzeContent(content, models), indicators: indicatorsOf(content) };
}

/** Returns the analysis of content that could not be read, with the reason as a clause. Known indicators still count. */
export function toUnreadable(type: Content['type'], why: string): Analysis {
  return { type, keys: [], findings: [], reasons: [], unsupported: why };
}

/** Devices report files and packages with a prefix; older ones without. */
export function indicatorsOf(content: Content): string[] {
  return reportedIndicators(content).flatMap((indicator) => {
    const plain = /^(?:sha256|pkg):(.+)$/s.exec(indicator)?.[1];
    return plain === undefined ? [indicator] : [indicator, plain];
  });
}
