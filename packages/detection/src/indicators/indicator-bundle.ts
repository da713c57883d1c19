import type { Indicator } from './indicator.ts';

/** The indicators of a tenant as its devices get them. */
export interface IndicatorBundle {
  /** Grows with each bundle that is made for the tenant. */
  readonly version: number;
  readonly tenantId: string;
  readonly generatedAtMs: number;
  /** From then on devices no longer use it. */
  readonly expiresAtMs: number;
  readonly indicators: readonly Indicator[];
}
