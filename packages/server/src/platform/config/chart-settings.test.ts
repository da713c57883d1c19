import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { updateSchema } from './chart-settings.ts';

const FILE = join(import.meta.dirname, '../../../../../deploy/helm/tps/values.schema.json');

test('the schema of the chart has every setting as the service declares it', () => {
  const text = readFileSync(FILE, 'utf8');
  const schema = JSON.parse(text) as { properties: { settings: { properties: object } } };
  expect(schema.properties.settings.properties).toHaveProperty('SERVICE_LOG_LEVEL.description');
  expect(schema.properties.settings.properties).not.toHaveProperty('SERVICE_SMTP_URL');
  // `npm run values-schema` writes it.
  expect(schema).toEqual(JSON.parse(updateSchema(text)));
});
