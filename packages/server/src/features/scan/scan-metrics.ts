import type { ScanResult } from '@tps/contract';
import type { Metrics } from '../../platform/metrics/metrics.ts';

type Verdict = ScanResult['verdict'];
const VERDICTS: readonly Verdict[] = ['allow', 'warn', 'block'];

/** Adds the metrics of scans. Returns what counts a stored scan. */
export function registerScanMetrics(metrics: Metrics): (verdict: Verdict) => void {
  const scans = metrics.counter({
    name: 'tps_scans_total',
    help: 'Scans that were stored, by verdict.',
    labels: ['verdict'],
  });
  for (const verdict of VERDICTS) scans.inc({ verdict }, 0);
  return (verdict) => scans.inc({ verdict });
}
