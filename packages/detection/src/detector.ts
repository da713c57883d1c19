import type { Analysis } from './analysis/analysis.ts';
import { analyzeContent } from './analysis/analyze-content.ts';
import type { PlainContent } from './content.ts';
import type { IndicatorKey, IndicatorMatch } from './indicators/indicator.ts';
import { modelContextFor } from './model/model-context.ts';
import type { Models } from './model/models.ts';
import type { Classification } from './verdict/classification.ts';
import { classify } from './verdict/classify.ts';
import type { Language } from './wording/language.ts';

/** A place to look indicators up in, such as the index in memory. */
export interface IndicatorLookup {
  find(keys: readonly IndicatorKey[], nowMs: number): readonly IndicatorMatch[];
}

export interface DetectorOptions {
  /** Without models only indicators and rules that need no model apply; other content is unsupported. */
  readonly models: Models | undefined;
  /** Called for each classification, so that the index can be replaced. Without it no indicator matches. */
  readonly indicators?: () => IndicatorLookup | undefined;
  readonly nowMs?: () => number;
}

/** Classifies content on a device, by the same models and rules as the service. The default language is English. */
export interface Detector {
  /** Reads a text, a link or an app once, for `classifyAnalysis`. */
  analyze(content: PlainContent): Analysis;
  /** Analyzes and classifies a text, a link or an app. */
  classify(content: PlainContent, language?: Language): Classification;
  /** Classifies content that was analyzed elsewhere, such as a file by `analyzeBytes` of `@tps/detection/files`. */
  classifyAnalysis(analysis: Analysis, language?: Language): Classification;
}

export function createDetector({ models, indicators, nowMs = Date.now }: DetectorOptions): Detector {
  const classifyAnalysis = (analysis: Analysis, language?: Language) =>
    classify(analysis, {
      matches: indicators?.()?.find(analysis.keys, nowMs()) ?? [],
      model: modelContextFor(analysis.type, models),
      ...(language && { language }),
    });
  return {
    analyze: (content) => analyzeContent(content, models),
    classify: (content, language) => classifyAnalysis(analyzeContent(content, models), language),
    classifyAnalysis,
  };
}
