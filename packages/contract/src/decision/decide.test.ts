import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Policy } from '../policy/schema.ts';
import type { Action } from '../schema/values.ts';
import { ACTIONS, SEVERITIES, THREAT_CATEGORIES } from '../schema/vocabulary.ts';
import { decide, FALLBACK_POLICIES } from './index.ts';

/** A policy that by default warns of phishing at any confidence. */
function policy(policyId: string, parts: Partial<Policy> = {}): Policy {
  return {
    policy_id: policyId,
    tenant_id: 'tnt_1',
    name: `Policy ${policyId}`,
    threat_categories: ['phishing'],
    action: 'warn',
    confidence_threshold: 0,
    enabled: true,
    version: 3,
    created_at: '2026-03-02T09:15:03.000Z',
    updated_at: '2026-03-02T09:15:03.000Z',
    archived_at: null,
    ...parts,
  };
}

const phishing = (confidence: number) => ({ threatCategory: 'phishing', confidence }) as const;
const by = (policies: readonly Policy[], fallback = FALLBACK_POLICIES) => ({ policies, fallback });

describe('the policy that decides', () => {
  const warn = policy('pol_warn', { action: 'warn', confidence_threshold: 0.9 });
  const block = policy('pol_block', { action: 'block', confidence_threshold: 0.6 });
  const allow = policy('pol_allow', { action: 'allow', confidence_threshold: 0.95 });

  test('is the strictest one whose threshold is reached, even if another allows', () => {
    expect(decide(phishing(0.99), by([allow, warn, block]))).toMatchObject({
      action: 'block',
      policy: { policy_id: 'pol_block', name: 'Policy pol_block', version: 3 },
    });
  });

  test('among equally strict ones has the highest threshold, then the lowest id', () => {
    const higher = policy('pol_z', { action: 'block', confidence_threshold: 0.8 });
    expect(decide(phishing(0.99), by([block, higher])).policy.policy_id).toBe('pol_z');
    const equal = policy('pol_a', { action: 'block', confidence_threshold: 0.8 });
    expect(decide(phishing(0.99), by([higher, equal])).policy.policy_id).toBe('pol_a');
  });

  test('applies from its threshold on, and from 0 without one', () => {
    expect(decide(phishing(0.6), by([block])).action).toBe('block');
    expect(decide(phishing(0.599), by([block])).action).toBe('allow');
    const { confidence_threshold: _, ...always } = block;
    expect(decide(phishing(0), by([always])).action).toBe('block');
  });

  test('is the one with the lowest threshold, and allows, when no threshold is reached', () => {
    const decision = decide(phishing(0.2), by([warn, block]));
    expect(decision).toMatchObject({ action: 'allow', policy: { policy_id: 'pol_block' } });
  });

  test('is a fallback policy only if no enabled tenant policy names the category', () => {
    const elsewhere = policy('pol_else', { threat_categories: ['deepfake'], action: 'block' });
    const disabled = policy('pol_off', { enabled: false });
    for (const policies of [[], [elsewhere], [disabled]]) {
      const actions = [0.49, 0.5, 0.84, 0.85].map(
        (confidence) => decide(phishing(confidence), by(policies)).action,
      );
      expect(actions).toEqual(['allow', 'warn', 'warn', 'block']);
    }
    expect(decide(phishing(0.99), by([allow])).policy.policy_id).toBe('pol_allow');
    expect(decide(phishing(0.94), by([allow]))).toMatchObject({
      action: 'allow',
      policy: { policy_id: 'pol_allow' },
    });
  });

  test('is always named, even when no policy names the category', () => {
    expect(decide(phishing(1), by([], []))).toMatchObject({
      action: 'allow',
      policy: { policy_id: 'pol_agent-default-allow' },
    });
  });

  test('is explained, and so is every other policy considered', () => {
    const disabled = policy('pol_off', { enabled: false, action: 'block', confidence_threshold: 0.1 });
    const late = policy('pol_late', { action: 'block', confidence_threshold: 0.95 });
    expect(decide(phishing(0.92), by([warn, allow, disabled, late, block])).reasons).toEqual([
      'pol_late “Policy pol_late” (version 3) did not apply: the confidence of 0.92 is below its threshold of 0.95.',
      'pol_block “Policy pol_block” (version 3) decided: block for phishing from 0.6, and the confidence is 0.92.',
      'pol_off “Policy pol_off” (version 3) did not apply: it is disabled.',
      'pol_warn “Policy pol_warn” (version 3) also applied, but pol_block is stricter than warn.',
      'pol_allow “Policy pol_allow” (version 3) did not apply: the confidence of 0.92 is below its threshold of 0.95.',
    ]);
  });
});

describe('for any policies', () => {
  const confidences = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
  const policies = fc.uniqueArray(
    fc.record({
      policy_id: fc.integer({ min: 0, max: 99 }).map((number) => `pol_${number}`),
      threat_categories: fc.subarray([...THREAT_CATEGORIES], { minLength: 1 }),
      action: fc.constantFrom<Action>(...ACTIONS),
      enabled: fc.boolean(),
      confidence_threshold: confidences,
    }),
    { selector: ({ policy_id }) => policy_id, maxLength: 12 },
  );
  const made = policies.map((all) => all.map(({ policy_id, ...rest }) => policy(policy_id, rest)));
  const category = fc.constantFrom(...THREAT_CATEGORIES);

  test('the order does not matter', () => {
    const shuffled = made.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, category, confidences, ([one, other], threatCategory, confidence) => {
        const detection = { threatCategory, confidence };
        expect(decide(detection, by(other))).toEqual(decide(detection, by(one)));
      }),
    );
  });

  test('more confidence makes neither the action nor the severity milder', () => {
    fc.assert(
      fc.property(made, category, confidences, confidences, (all, threatCategory, one, other) => {
        const decisionAt = (confidence: number) => decide({ threatCategory, confidence }, by(all));
        const [less, more] = [decisionAt(Math.min(one, other)), decisionAt(Math.max(one, other))];
        expect(ACTIONS.indexOf(more.action)).toBeGreaterThanOrEqual(ACTIONS.indexOf(less.action));
        expect(SEVERITIES.indexOf(more.severity)).toBeGreaterThanOrEqual(SEVERITIES.indexOf(less.severity));
      }),
    );
  });

  test('adding an enabled policy for a named category never makes the action milder', () => {
    fc.assert(
      fc.property(
        made,
        fc.constantFrom<Action>(...ACTIONS),
        category,
        confidences,
        (all, action, threatCategory, confidence) => {
          const present = policy('pol_present', { threat_categories: [threatCategory], action: 'allow' });
          const added = policy('pol_added', { threat_categories: [threatCategory], action });
          const before = decide({ threatCategory, confidence }, by([...all, present]));
          const after = decide({ threatCategory, confidence }, by([...all, present, added]));
          expect(ACTIONS.indexOf(after.action)).toBeGreaterThanOrEqual(ACTIONS.indexOf(before.action));
        },
      ),
    );
  });
});

test('a severity from the detector is kept', () => {
  expect(decide({ ...phishing(0.99), severity: 'low' }, by([])).severity).toBe('low');
});
