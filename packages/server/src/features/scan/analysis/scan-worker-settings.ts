import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../../platform/config/config.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Settings for a worker thread. The service has read and checked all files at its start. */
export type ScanWorkerSettings = Pick<Config['scan'], 'deadlineMs' | 'modelFile' | 'clamd'> & {
  /** In PEM. */
  readonly trustAnchors: readonly string[];
  readonly yaraRules: string | undefined;
};

/**
 * Reads the files that the configuration names.
 * @throws Error for unusable rules or certificates: protection must not be lost silently
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
 * Reads the certificates of the trusted signers of media provenance; none without a file.
 * @throws Error that names the file if it cannot be read or is not a list of certificates: trust must not be lost silently
 */
function readTrustAnchors(file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    const anchors = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (anchors.length === 0) throw new Error('it contains no PEM certificate');
    for (const anchor of anchors) new X509Certificate(anchor);
    return anchors;
  } catch (cause) {
    throw new Error(`the trust anchors in ${file} cannot be used`, { cause });
  }
}

async function readYaraRules(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  // Loaded only if rules are configured, because it loads megabytes of WebAssembly.
  const { createYaraScanner } = await import('../scanners/yara-scanner.ts');
  try {
    const rules = readFileSync(file, 'utf8');
    createYaraScanner(rules).close();
    return rules;
  } catch (cause) {
    throw new Error(`the YARA rules in ${file} cannot be used`, { cause });
  }
}
