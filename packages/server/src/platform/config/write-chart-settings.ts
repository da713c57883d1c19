import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { updateSchema } from './chart-settings.ts';

/** `npm run values-schema` writes the settings of the service into the schema of the chart's values. */
const FILE = join(import.meta.dirname, '../../../../../deploy/helm/tps/values.schema.json');

writeFileSync(FILE, `${updateSchema(readFileSync(FILE, 'utf8'))}\n`);
