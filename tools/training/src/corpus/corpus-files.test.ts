import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CORPUS_FILES, SLOT_FILES } from './corpus-files.ts';

const FOLDER = new URL('../../corpus/', import.meta.url);

it('training loads every file of templates and of slots', () => {
  const templates = [...filesOf('benign'), ...filesOf('scam')];
  expect(CORPUS_FILES.map(({ path }) => path).toSorted()).toEqual(templates.toSorted());
  expect([...SLOT_FILES].toSorted()).toEqual(filesOf('slots').toSorted());
});

it('each language has scams and genuine texts, so that the language alone decides nothing', () => {
  expect(languagesOf('scam')).toEqual(languagesOf('benign'));
});

function filesOf(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, FOLDER)).map((name) => `${folder}/${name.replace(/\.txt$/, '')}`);
}

function languagesOf(label: string): string[] {
  const paths = CORPUS_FILES.map(({ path }) => path).filter((path) => path.startsWith(`${label}/`));
  return [...new Set(paths.map((path) => path.slice(path.lastIndexOf('.') + 1)))].toSorted();
}
