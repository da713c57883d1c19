import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRelease, ReleaseError } from './build-release.ts';

const HELP = `Usage: npm run release -- --out DIR [--version VERSION]

Builds all files of a release from the tracked files of this checkout, into the new directory DIR:
the service for Linux on x64 and arm64 with an SBOM of each, the Helm chart, the packages for npm, and
SHA256SUMS. Two builds of one commit are equal, byte by byte.

  --out DIR            where the files go; the directory must not exist
  --version VERSION    another version than that of package.json, such as 0.3.0-rc.1

Examples:
  npm run release -- --out /tmp/release
  npm run release -- --out /tmp/candidate --version 0.3.0-rc.1
`;

const { values } = parseArgs({
  options: { out: { type: 'string' }, version: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  process.stdout.write(HELP);
} else if (values.out === undefined) {
  process.stderr.write(`--out is required.\n\n${HELP}`);
  process.exitCode = 2;
} else {
  await build(resolve(values.out), values.version);
}

/** Prints each step with the seconds since the beginning, then the files. */
async function build(out: string, version: string | undefined): Promise<void> {
  const root = resolve(import.meta.dirname, '../../..');
  const report = (step: string) =>
    process.stderr.write(`${Math.round(performance.now() / 1000)} s  ${step}\n`);
  try {
    const options = { root, out, report, ...(version === undefined ? {} : { version }) };
    const { files, work } = await buildRelease(options);
    rmSync(work, { recursive: true });
    for (const { name, bytes, sha256 } of files) process.stdout.write(`${sha256}  ${bytes}  ${name}\n`);
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
