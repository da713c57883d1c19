/** What a thread of the pool runs. It has neither the environment nor the store, and says nothing but what it answers. */
import { workerData } from 'node:worker_threads';
import type { BytesContent } from '@tps/detection';
import { analyzeBytes } from '@tps/detection/files';
import { examinePlain, indicatorsOf } from './analyze-content.ts';
import type { BytesToDecode, ExaminationTask, TaskOutcome } from './content-analysis.ts';
import { decodeBase64 } from './decode-base64.ts';
import { openScanners } from './open-scanners.ts';
import { openModels } from './scan-models.ts';
import type { ScanWorkerSettings } from './scan-worker-settings.ts';

// Readers of file formats complain on the console, and what they complain of is content.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
  console[method] = () => undefined;
}
process.removeAllListeners('warning').on('warning', () => undefined);

const settings = workerData as ScanWorkerSettings;
const { models } = openModels(settings.modelFile);
const scanners = await openScanners(settings);
/** Of the deadline: who reads until then still answers in time. Scanners get as much again, one of which may take a second. */
const timeMs = settings.deadlineMs * (scanners.length > 0 ? 0.4 : 0.6);

/** Reads content. Whatever fails is named by its kind alone. */
export async function examine({ content }: ExaminationTask): Promise<TaskOutcome> {
  try {
    return 'encoded' in content
      ? await examineEncoded(content)
      : { kind: 'examined', examination: examinePlain(content, models) };
  } catch (error) {
    return { kind: 'failed', error: error instanceof Error ? error.constructor.name : typeof error };
  }
}

async function examineEncoded({ encoded, ...described }: BytesToDecode): Promise<TaskOutcome> {
  const { body, start, end } = encoded;
  const bytes = decodeBase64(Buffer.from(body.buffer, body.byteOffset + start, end - start));
  if (!bytes) return { kind: 'not_base64' };
  const content: BytesContent = { ...described, bytes };
  const trust = { anchors: settings.trustAnchors };
  const inspection = await analyzeBytes(content, { models, trust, scanners, limits: { timeMs } });
  return { kind: 'examined', examination: { inspection, indicators: indicatorsOf(content) } };
}
