import type { NewScan, ThreatCategory } from '@tps/contract';

/** Content of which people know what it is, and what the service is to make of it. */
export interface ScanExample {
  /** What it is, and who has described its like. */
  readonly name: string;
  readonly scan: Omit<NewScan, 'tenant_id'>;
  readonly expected: {
    /** Whether it is warned of or blocked; `unsupported` when nothing can judge it. */
    readonly caught: boolean | 'unsupported';
    readonly verdict?: 'allow' | 'warn' | 'block';
    /** One of these. */
    readonly types?: readonly string[];
    readonly categories?: readonly ThreatCategory[];
  };
}
