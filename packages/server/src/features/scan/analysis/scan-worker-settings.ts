import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../../platform/config/config.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

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
    deadlineMs,
    modelFile,
    clamd,
    trustAnchors: readTrustAnchors(trustAnchorsFile),
    yaraRules: await readYaraRules(yaraRulesFile),
  };
}

/**
 * Reads the certificates of those whose statements on the origin of media count; nobody's without a file.
 * @throws Error naming the file, when it cannot be read or holds anything but certificates: trust must not be lost silently
 */
function readTrustAnchors(file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    const anchors = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (anchors.length === 0) throw new Error('it holds no certificate in PEM');
    for (const anchor of anchors) new X509Certificate(anchor);
    return anchors;
  } catch (cause) {
    throw new Error(`the trust anchors in ${file} cannot be used`, { cause });
  }
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
