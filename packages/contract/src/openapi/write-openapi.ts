import { readFileSync, writeFileSync } from 'node:fs';
import { operations } from '../operations.ts';
import { toOpenApi } from './to-openapi.ts';

/** `write-openapi [--check] <file>`: writes the document, or fails when the file differs from it. */
function main(args: readonly string[]): void {
  const isCheck = args.includes('--check');
  const file = args.find((arg) => !arg.startsWith('--'));
  if (file === undefined) throw new Error('usage: write-openapi [--check] <file>');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const text = `${JSON.stringify(toOpenApi(operations, version), null, 2)}\n`;
  if (!isCheck) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file} does not match the contract. Run: npm run openapi\n`);
    process.exitCode = 1;
  }
}

main(process.argv.slice(2));
