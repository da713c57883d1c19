import { hash } from 'node:crypto';
import type { Analysis } from '../../analysis/analysis.ts';
import type { Models } from '../../model/models.ts';
import { type AnalyzeBytesOptions, analyzeBytes } from '../analyze-bytes.ts';

/** Models that return the same probability for everything they can read. */
export function evenModels(probability: number): Models {
  const model = {
    linear: { bits: 4, bias: 0, scale: 1, weights: new Int8Array(16), dense: new Float32Array(0) },
    calibration: {
      scores: Float32Array.of(0, 1),
      probabilities: Float32Array.of(probability, probability),
    },
  };
  const thresholds = { warn: 0.4, block: 0.9 };
  return {
    version: 'even',
    licence: 'redistributable',
    text: model,
    url: model,
    thresholds: { text: thresholds, url: thresholds },
    urlCutoffs: {},
  };
}

/** The result of these models is a finding, so that a test sees whether a text or a link reached them. */
const SUSPICIOUS = evenModels(0.75);

type Sample = Uint8Array | string;

/** Analyzes bytes, or a text as UTF-8. */
export function analyzeSample(
  sample: Sample,
  filename?: string,
  options: Partial<AnalyzeBytesOptions> & { readonly type?: 'file' | 'media' } = {},
): Promise<Analysis> {
  const { type = 'file', ...others } = options;
  const content = { type, bytes: toBytes(sample), ...(filename !== undefined && { filename }) };
  return analyzeBytes(content, { models: SUSPICIOUS, ...others });
}

/** The evidence of the signs in the structure of the file. */
export function signsOf({ findings }: Analysis): string[] {
  return findings.filter(({ detector }) => detector === 'file_format').map(({ evidence }) => evidence);
}

/** Returns which models were called: they find something in everything that reaches them. */
export function modelsAsked({ findings }: Analysis): string[] {
  return findings.map(({ detector }) => detector).filter((detector) => detector.endsWith('_model'));
}

export function hasKeyOf({ keys }: Analysis, type: string, value: string): boolean {
  return keys.some((key) => key.type === type && key.digest === hash('sha256', value, 'hex'));
}

export function sha256(sample: Sample): string {
  return hash('sha256', toBytes(sample), 'hex');
}

export function toBytes(sample: Sample): Uint8Array {
  return typeof sample === 'string' ? new TextEncoder().encode(sample) : sample;
}

/** Returns the CPU time of the work in milliseconds, which does not depend on other processes. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
