import {
  type Analysis,
  analyzeContent,
  type Content,
  type Models,
  type PlainContent,
  reportedIndicators,
} from '@tps/detection';
import type { ContentAnalysis } from './content-analysis.ts';

/** Reads a message, a link or an app. Takes the thread for as long as the content is long. */
export function analyzePlain(content: PlainContent, models: Models | undefined): ContentAnalysis {
  return { analysis: analyzeContent(content, models), indicators: indicatorsOf(content) };
}

/** Gives the inspection of content that could not be read, and why as a clause. What is known of it still counts. */
export function toUnreadable(type: Content['type'], why: string): Analysis {
  return { type, keys: [], findings: [], reasons: [], unsupported: why };
}

/** Devices report files and packages by their kind and, those of before, plainly. */
export function indicatorsOf(content: Content): string[] {
  return reportedIndicators(content).flatMap((indicator) => {
    const plain = /^(?:sha256|pkg):(.+)$/s.exec(indicator)?.[1];
    return plain === undefined ? [indicator] : [indicator, plain];
  });
}
