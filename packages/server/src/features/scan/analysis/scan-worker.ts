/** The code of a worker thread. It has no access to the environment or the store, and writes no output. */
import { workerData } from 'node:worker_threads';
import type { BytesContent } from '@tps/detection';
import { analyzeBytes, type ByteScanner } from '@tps/detection/files';
import { analyzePlain, indicatorsOf } from './analyze-content.ts';
import type { BytesToDecode, StartedTask, TaskOutcome } from './content-analysis.ts';
import { decodeBase64 } from './decode-base64.ts';
import { openModels } from './scan-models.ts';
import type { ScanWorkerSettings } from './scan-worker-settings.ts';

// Parsers of file formats write to the console, and their messages can quote content.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
  console[method] = () => undefined;
}
process.removeAllListeners('warning').on('warning', () => undefined);

const settings = workerData as ScanWorkerSettings;
const { models } = openModels(settings.modelFile);
const scanners = await openScanners(settings);
/**
 * The time limit of reading is a part of the deadline, so that the response is still in time. With scanners it is smaller:
 * they get the same time again, and one of them may take a second.
 */
const timeMs = settings.deadlineMs * (scanners.length > 0 ? 0.4 : 0.6);

/** Analyzes content. A failure is reported only by the name of its class. */
export async function analyze({ content, started }: StartedTask): Promise<TaskOutcome> {
  started.postMessage(undefined);
  started.close();
  try {
    return 'encoded' in content
      ? await analyzeEncoded(content)
      : { kind: 'analyzed', analysis: analyzePlain(content, models) };
  } catch (error) {
    return { kind: 'failed', error: error instanceof Error ? error.constructor.name : typeof error };
  }
}

async function analyzeEncoded({ encoded, ...described }: BytesToDecode): Promise<TaskOutcome> {
  const { body, start, end } = encoded;
  const bytes = decodeBase64(Buffer.from(body.buffer, body.byteOffset + start, end - start));
  // Checked before it was sent here.
  if (!bytes) throw new TypeError('not Base64');
  const content: BytesContent = { ...described, bytes };
  const trust = { anchors: settings.trustAnchors };
  const analysis = await analyzeBytes(content, { models, trust, scanners, limits: { timeMs } });
  return { kind: 'analyzed', analysis: { analysis, indicators: indicatorsOf(content) } };
}

/** Opens the scanners that the operator has configured. */
async function openScanners(
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
