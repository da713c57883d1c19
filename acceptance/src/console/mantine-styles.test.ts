import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCE = join(ROOT, 'packages/console/src');
const MANTINE = join(ROOT, 'node_modules/@mantine/core');

const listed = ['app/mantine.css', 'app/mantine-more.css']
  .flatMap((file) => [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/core\/styles\/([\w-]+)\.css/g)])
  .map(([, name = '']) => name);

test('the style sheet of each Mantine component that the console uses is listed', () => {
  expect(neededStyles().filter((name) => !listed.includes(name))).toEqual([]);
});

/** The style sheets of the components that the console imports, and of those that they are made of. */
function neededStyles(): readonly string[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE, exclude: (name) => name.startsWith('.') });
  const imported = files.flatMap((file) =>
    [
      ...readFileSync(join(SOURCE, file), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
    ].flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/^\s*type\s/, '').trim())),
  );
  const seen = new Set<string>();
  // Notifications, a package with a style sheet for itself, are made of the first one.
  for (const name of ['Notification', ...imported])
    follow(join(MANTINE, `esm/components/${name}/${name}.mjs`), seen);
  const styles = [...seen].filter((file) => file.endsWith('.module.mjs')).map(folderOf);
  return [...new Set(styles)].filter((name) => existsSync(join(MANTINE, `styles/${name}.css`))).sort();
}

/** Adds a module and all that it imports. */
function follow(file: string, seen: Set<string>): void {
  if (seen.has(file) || !existsSync(file)) return;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)) {
    follow(join(dirname(file), path), seen);
  }
}

/** A style sheet has the name of the folder of its component: `components/Checkbox`, `utils/InlineInput`. */
function folderOf(file: string): string {
  return /\/esm\/\w+\/(?<folder>\w+)\//.exec(file)?.groups?.folder ?? '';
}
