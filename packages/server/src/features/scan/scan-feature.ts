import type { Feature, SharedParts } from '../feature.ts';
import { ContentAnalyzer } from './analysis/content-analyzer.ts';
import { registerScanMetrics } from './scan-metrics.ts';
import { scanRoutes } from './scan-routes.ts';
import { ScanService } from './scan-service.ts';
import { ScanWriter } from './scan-writer.ts';

export type ScanFeature = Awaited<ReturnType<typeof scanFeature>>;

/** Scans of content. */
export async function scanFeature(shared: SharedParts) {
  const { config, requests, metrics } = shared;
  const analyzer = await ContentAnalyzer.open(config.scan, shared);
  const writer = new ScanWriter(requests, registerScanMetrics(metrics));
  return {
    ...{ analyzer },
    routes: scanRoutes(new ScanService({ ...shared, database: requests, analyzer, writer })),
    component: {
      name: 'scan',
      isUp: () => analyzer.isUp(),
      check: {
        name: 'scans',
        problem: 'Scans do not classify texts and links: the models could not be loaded',
        whatToDo: 'Run tps check, and see SERVICE_SCAN_MODEL.',
      },
    },
    close: () => writer.close().finally(() => analyzer.close()),
  } satisfies Feature;
}
