import type { Finding } from '../finding.ts';
import type { Clause } from './clause.ts';
import { inWords } from './in-words.ts';

/** Returns the evidence of a finding: in English, and as the clause that other languages are made from. */
export function evidenceOf(clause: Clause): Required<Pick<Finding, 'evidence' | 'clause'>> {
  return { evidence: inWords(clause), clause };
}
