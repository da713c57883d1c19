import type { KeyObject } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { type Indicator, type IndicatorBundle, signBundle } from '@tps/detection/indicators';

/** The messages to the worker: any number with indicators, then one to sign them all. */
export type BundleTask =
  | { readonly indicators: readonly Indicator[] }
  | { readonly head: Omit<IndicatorBundle, 'indicators'>; readonly privateKey: KeyObject };

const indicators: Indicator[] = [];

parentPort?.on('message', (task: BundleTask) => {
  if ('indicators' in task) {
    for (const indicator of task.indicators) indicators.push(indicator);
    return;
  }
  parentPort?.postMessage(JSON.stringify(signBundle({ ...task.head, indicators }, task.privateKey)));
  parentPort?.close();
});
