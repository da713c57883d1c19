/** What a thread of the pool runs. It has neither the environment nor the store, and says nothing but what it answers. */
import { workerData } from 'node:worker_threads';
import type { BytesContent } from '@tps/detection';
import { inspectBytes } from '@tps/detection/files';
import { decodeBase64 } from './decode-base64.ts';
import type { BytesToDecode, ExaminationTask, ScanWorkerSettings, TaskOutcome } from './examination.ts';
import { examinePlain, indicatorsOf, inspectWith } from './examine-content.ts';
import { openModels } from './scan-models.ts';

// Readers of file formats complain on the console, and what they complain of is content.
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
  console[method] = () => undefined;
}
process.removeAllListeners('warning').on('warning', () => undefined);

/** Of the deadline. Whoever reads until then still answers in time. */
const READING_SHARE = 0.6;

const settings = workerData as ScanWorkerSettings;
const scanModels = openModels(settings.modelFile);

/** Reads content. Whatever fails is named by its kind alone. */
export async function examine({ content }: ExaminationTask): Promise<TaskOutcome> {
  try {
    return 'encoded' in content
      ? await examineEncoded(content)
      : { kind: 'examined', examination: examinePlain(content, scanModels) };
  } catch (error) {
    return { kind: 'failed', error: error instanceof Error ? error.constructor.name : typeof error };
  }
}

async function examineEncoded({ encoded, ...described }: BytesToDecode): Promise<TaskOutcome> {
  const { body, start, end } = encoded;
  const bytes = decodeBase64(Buffer.from(body.buffer, body.byteOffset + start, end - start));
  if (!bytes) return { kind: 'not_base64' };
  const content: BytesContent = { ...described, bytes };
  const inspection = await inspectBytes(content, {
    inspectPlain: (part) => inspectWith(scanModels, part),
    trust: { anchors: settings.trustAnchors },
    limits: { timeMs: settings.deadlineMs * READING_SHARE },
  });
  return { kind: 'examined', examination: { inspection, indicators: indicatorsOf(content) } };
}
