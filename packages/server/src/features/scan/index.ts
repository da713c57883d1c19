export { ContentAnalyzer } from './analysis/content-analyzer.ts';
export { registerScanMetrics } from './scan-metrics.ts';
export * as scanStore from './scan-store.ts';
export { ScanWriter } from './scan-writer.ts';
export { knownThreatOf } from './tenant-findings.ts';
