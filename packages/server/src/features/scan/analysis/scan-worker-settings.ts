import { readFileSync } from 'node:fs';
import type { Config } from '../../../platform/config/config.ts';
import { readTrustAnchors } from './read-trust-anchors.ts';

/** What a thread is given when it starts: what files hold was read, and found usable, when the service started. */
export type ScanWorkerSettings = Pick<Config['scan'], 'deadlineMs' | 'modelFile' | 'clamd'> & {
  /** In PEM. */
  readonly trustAnchors: readonly string[];
  readonly yaraRules: string | undefined;
};

/**
 * Reads the files that the configuration names.
 * @throws Error for rules or certificates that cannot be used: protection must not be lost silently
 */
export async function readWorkerSettings(config: Config['scan']): Promise<ScanWorkerSettings> {
  const { deadlineMs, modelFile, clamd, trustAnchorsFile, yaraRulesFile } = config;
  return {
    ...{ deadlineMs, modelFile, clamd },
    trustAnchors: readTrustAnchors(trustAnchorsFile),
    yaraRules: await readYaraRules(yaraRulesFile),
  };
}

async function readYaraRules(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  // Loaded where rules are: it brings megabytes of WebAssembly.
  const { createYaraScanner } = await import('../scanners/yara-scanner.ts');
  try {
    const rules = readFileSync(file, 'utf8');
    createYaraScanner(rules).close();
    return rules;
  } catch (cause) {
    throw new Error(`the YARA rules in ${file} cannot be used`, { cause });
  }
}
