import { configTable } from './config-options.ts';

/** What the chart sets from other values. */
const DERIVED: readonly string[] = [
  'SERVICE_BIND',
  'SERVICE_BASE_URL',
  'SERVICE_TLS_CERT_FILE',
  'SERVICE_TLS_KEY_FILE',
  'SERVICE_ALLOW_PLAINTEXT',
  'SERVICE_METRICS_BIND',
];
const SCALAR = ['string', 'number', 'boolean'];

/** The part of values.schema.json that the declaration of the settings decides. */
interface SettingsSchema {
  /** For `settings`. */
  readonly settings: {
    readonly properties: Readonly<
      Record<string, { readonly type: readonly string[]; readonly description: string }>
    >;
    readonly propertyNames: object;
  };
  /** The settings that contain secrets, for `secret.files`. */
  readonly secrets: readonly string[];
}

/**
 * Describes the settings of the chart. Names of settings that belong elsewhere in the values are known too: the templates
 * refuse them, and their messages name the place.
 */
function toSettingsSchema(): SettingsSchema {
  const rows = configTable();
  const names = rows.map(({ name }) => name);
  const secrets = names.filter((name) => names.includes(`${name}_FILE`));
  const elsewhere = new Set([...DERIVED, ...secrets, ...secrets.map((name) => `${name}_FILE`)]);
  const properties = rows
    .filter(({ name }) => !elsewhere.has(name))
    .map(
      (row) =>
        [row.name, { type: SCALAR, description: `${row.description} Default: ${row.default}.` }] as const,
    );
  return {
    settings: {
      properties: Object.fromEntries(properties),
      // The SDK of OpenTelemetry reads more variables than the service.
      propertyNames: { anyOf: [{ pattern: '^(OTEL_|NODE_EXTRA_CA_CERTS$)' }, { enum: names }] },
    },
    secrets,
  };
}

/** Returns values.schema.json with the settings of the service, as the file must be. */
export function updateSchema(text: string): string {
  const schema = JSON.parse(text) as {
    properties: {
      settings: object;
      secret: { properties: { files: { propertyNames: { enum: readonly string[] } } } };
    };
  };
  const { settings, secrets } = toSettingsSchema();
  Object.assign(schema.properties.settings, settings);
  schema.properties.secret.properties.files.propertyNames.enum = secrets;
  return JSON.stringify(schema, undefined, 2);
}
