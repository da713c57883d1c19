import { scanContent } from '@tps/contract';
import { type Route, route } from '../../platform/http/route.ts';
import type { ScanService } from './scan-service.ts';

export function scanRoutes(scans: ScanService): Route[] {
  return [route(scanContent, (exchange) => scans.scan(exchange))];
}
