import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildVectors, toText } from './build-vectors.ts';
import type { SigningVectors } from './vectors.ts';

// npm run vectors: writes the test vectors. Delete the file first for other keys.
const file = join(import.meta.dirname, '../../../docs/signing-vectors.json');
const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SigningVectors) : {};
writeFileSync(file, toText(buildVectors(known)));
