import type { ByteScanner } from '@tps/detection/files';
import type { ScanWorkerSettings } from './scan-worker-settings.ts';

/** Opens the scanners that the operator has configured. */
export async function openScanners(
  settings: Pick<ScanWorkerSettings, 'clamd' | 'yaraRules'>,
): Promise<ByteScanner[]> {
  const { clamd, yaraRules } = settings;
  const scanners: ByteScanner[] = [];
  if (yaraRules !== undefined) {
    const { createYaraScanner } = await import('../scanners/yara-scanner.ts');
    scanners.push(createYaraScanner(yaraRules));
  }
  if (clamd) {
    const { createClamdScanner } = await import('../scanners/clamd-scanner.ts');
    scanners.push(createClamdScanner(clamd));
  }
  return scanners;
}
