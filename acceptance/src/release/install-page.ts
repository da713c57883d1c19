import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

/** Reads docs/install.md: the commands (`sh` blocks) below each heading. */
export function readInstallPage(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(join(ROOT, 'docs/install.md'), 'utf8');
  const sections = text.split(/^#+ /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n', 1);
      return [title, [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.trim())];
    }),
  );
}
