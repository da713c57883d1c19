import { describe, expect, test } from 'vitest';
import type { Analysis } from '../analysis/analysis.ts';
import type { Finding } from '../finding.ts';
import type { Indicator, IndicatorMatch } from '../indicators/indicator.ts';
import { type ClassifyOptions, classify } from './classify.ts';

const model = { version: '7', thresholds: { warn: 0.4, block: 0.9 } };
const analysis: Analysis = { type: 'text', keys: [], findings: [], reasons: [] };

function found(confidence: number, members: Partial<Finding> = {}): Finding {
  return {
    detector: 'text_model',
    threatType: 'delivery_scam',
    category: 'phishing',
    confidence,
    evidence: 'worded like known scams',
    ...members,
  };
}

function match(members: Partial<Indicator> = {}): IndicatorMatch {
  const indicator: Indicator = {
    type: 'domain',
    value: 'bad.example',
    source: 'test-feed',
    category: 'malicious_app',
    threatType: 'stalkerware',
    confidence: 0.9,
    ...members,
  };
  return { key: { type: indicator.type, digest: '00' }, indicator };
}

function judge(members: Partial<Analysis>, options: Partial<ClassifyOptions> = {}) {
  return classify({ ...analysis, ...members }, { matches: [], model, ...options });
}

describe('the verdict', () => {
  test.each([
    [0.39, 'allow'],
    [0.4, 'warn'],
    [0.899, 'warn'],
    [0.9, 'block'],
  ])('of a model with %d follows the thresholds: %s', (confidence, verdict) => {
    const classification = judge({ findings: [found(confidence)] });
    expect(classification).toMatchObject({
      verdict,
      status: 'completed',
      threatDetected: verdict !== 'allow',
    });
    expect(classification.threatType).toBe(verdict === 'allow' ? 'none' : 'delivery_scam');
    expect(classification.category).toBe(verdict === 'allow' ? null : 'phishing');
  });

  test('follows the combined findings', () => {
    expect(judge({ findings: [found(0.3), found(0.3)] })).toMatchObject({ verdict: 'warn' });
  });

  test('is block for an indicator, which also names the threat', () => {
    const classification = judge({ findings: [found(0.95)] }, { matches: [match({ confidence: 0.6 })] });
    expect(classification).toMatchObject({
      verdict: 'block',
      threatType: 'stalkerware',
      category: 'malicious_app',
    });
    expect(classification.findings.map(({ detector }) => detector)).toEqual(['indicators', 'text_model']);
  });

  test('is warn for an indicator with a low confidence', () => {
    expect(judge({}, { matches: [match({ confidence: 0.3 })] }).verdict).toBe('warn');
  });

  test.each([
    ['warn', 'a tool that is sent in a conversation', { type: 'text', channel: 'call' }, 'domain'],
    ['allow', 'a page of its vendor in a mail', { type: 'text', channel: 'email' }, 'domain'],
    ['allow', 'a page of its vendor', { type: 'url' }, 'domain'],
    ['warn', 'the tool itself', { type: 'app' }, 'package'],
  ] as const)('is %s for a dual-use tool, which the evidence states: %s', (verdict, _, members, type) => {
    const tool = { category: 'remote_control', threatType: 'remote_access_tool', confidence: 1 } as const;
    const classification = judge(members, { matches: [match({ ...tool, type, dualUse: true })] });
    expect(classification).toMatchObject({ verdict, category: verdict === 'warn' ? 'remote_control' : null });
    expect(classification.findings[0]?.evidence).toContain('dual-use');
  });
});

describe('the sentence', () => {
  test('names the threshold and the reasons when a model decides', () => {
    const reasons = ['it asks for a fee', 'it creates urgency', 'it threatens', 'it is the fourth'];
    const { details } = judge({ findings: [found(0.93)], reasons });
    expect(details).toBe(
      'This message was classified as a parcel or delivery scam: the estimated probability of 0.930 is at or above the blocking threshold of 0.900; it asks for a fee, it creates urgency, and it threatens.',
    );
  });

  test('names the source and the product when an indicator decides', () => {
    const { details } = judge({ type: 'url' }, { matches: [match({ label: 'SpyTool' })] });
    expect(details).toContain('a domain listed by test-feed for SpyTool');
    expect(details).not.toContain('bad.example');
  });

  test('names the finding that is below the threshold', () => {
    const { details, verdict } = judge({ findings: [found(0.2)] });
    expect(verdict).toBe('allow');
    expect(details).toBe(
      'No threat was detected in this message: worded like known scams, but the combined probability of 0.200 is below the warning threshold of 0.400.',
    );
  });

  test('names probability and threshold without a finding', () => {
    const { details, status } = judge({ score: 0.02 });
    expect(status).toBe('completed');
    expect(details).toContain('0.020 is below the warning threshold of 0.400');
  });
});

describe('content that cannot be analyzed', () => {
  const members = { unsupported: 'its format is unknown' };

  test('is unsupported with a warning, never clean', () => {
    expect(judge(members)).toMatchObject({
      status: 'unsupported',
      verdict: 'warn',
      threatDetected: false,
      threatType: 'none',
      category: null,
      details: 'This message could not be analyzed: its format is unknown. This is not an all-clear.',
    });
  });

  test('is unsupported even with a weak finding', () => {
    expect(judge({ ...members, findings: [found(0.2)] })).toMatchObject({
      status: 'unsupported',
      verdict: 'warn',
    });
  });

  test('is reported as analyzed in part if a part was', () => {
    const { details } = judge({ ...members, score: 0.01 });
    expect(details).toBe(
      'This message was analyzed only in part: its format is unknown. This is not an all-clear.',
    );
  });

  test('is classified when an indicator matches', () => {
    expect(judge(members, { matches: [match()] })).toMatchObject({ status: 'completed', verdict: 'block' });
  });
});

test('classifying 100,000 matching indicators returns only the decisive findings', () => {
  const matches = Array.from({ length: 200_000 }, (_, at) =>
    match({ confidence: at === 150_000 ? 0.97 : 0.3 }),
  );
  const classification = judge({}, { matches });
  expect(classification.findings).toHaveLength(50);
  expect(classification.findings[0]?.confidence).toBe(0.97);
  expect(classification.verdict).toBe('block');
});
