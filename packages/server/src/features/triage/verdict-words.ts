import type { TriageVerdict } from './triage-results.ts';

export const VERDICT_WORDS: Record<TriageVerdict, string> = {
  likely_genuine: 'Likely genuine',
  unclear: 'Unclear',
  likely_false: 'Likely a false alarm',
  technical: 'Technical issue',
};
