import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import { serveCalls } from '../src/process-calls.ts';
import { setDeviceKeys, verifyEvent } from './verify.mjs';

/** Columns of the class that the events are saved in. */
const EVENT_FIELDS = {
  event_id: 'String',
  type: 'String',
  tenant_id: 'String',
  device_id: 'String',
  timestamp: 'String',
  threat_category: 'String',
  confidence: 'Number',
  action_taken: 'String',
  policy_id: 'String',
  severity: 'String',
  description: 'String',
  indicators: 'Array',
  metadata: 'Object',
};
const ALERT_FIELDS = { event_id: 'String', severity: 'String', status: 'String' };
const THREAT_FIELDS = { event_id: 'String', threat_category: 'String', indicators: 'Array' };

/** Any client may create events: no token is looked up, which the service does for each request. */
const permissions = { create: { '*': true } };

const toFields = (fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));

const SCHEMA = [
  { className: 'Event', fields: toFields(EVENT_FIELDS), classLevelPermissions: permissions },
  { className: 'Alert', fields: toFields(ALERT_FIELDS), classLevelPermissions: {} },
  { className: 'Threat', fields: toFields(THREAT_FIELDS), classLevelPermissions: {} },
];

/** The bytes of a request, from the parser of the body to the hook. */
const RAW_BODY = 'x-bench-raw-body';

/** What the hook before a save does. */
let work = 'plain';

/** @param {any} Parse the SDK that the server loads for its hooks */
function addHooks(Parse) {
  Parse.Cloud.beforeSave('Event', async ({ object, headers }) => {
    if (work === 'plain') return;
    const message = { method: 'POST', path: '/classes/Event', header: (name) => headers[name] };
    await verifyEvent(message, headers[RAW_BODY]);
    if (work === 'derived') await saveDerived(Parse, object.toJSON());
  });
}

/** Saved before the event, because errors in a hook after the save do not reach the client. */
async function saveDerived(Parse, { event_id, severity, threat_category, indicators }) {
  const alert = new Parse.Object('Alert', { event_id, severity, status: 'open' });
  const threat = new Parse.Object('Threat', { event_id, threat_category, indicators });
  await Parse.Object.saveAll([alert, threat], { useMasterKey: true });
}

const calls = {
  /**
   * Starts Parse Server on an empty database and returns its origin.
   *
   * @param {{ databaseUrl: string, port: number, poolSize: number, devices: readonly { deviceId: string, publicKeyB64: string }[] }} options
   */
  async listen({ databaseUrl, port, poolSize, devices }) {
    setDeviceKeys(devices);
    // Read during the import. Otherwise it creates a folder of logs in the working directory.
    process.env.PARSE_SERVER_LOGS_FOLDER = 'null';
    // Each start prints, before it is silent, what will change in later versions.
    process.stdout.write = () => true;
    const { ParseServer } = await import('parse-server');
    const origin = `http://127.0.0.1:${port}`;
    const parse = new ParseServer({
      databaseURI: `${databaseUrl}?max=${poolSize}`,
      appId: 'bench',
      masterKey: 'bench-master-key',
      maintenanceKey: 'bench-maintenance-key',
      serverURL: origin,
      // Cloud code calls the server in the same process, not over HTTP.
      directAccess: true,
      silent: true,
      logLevel: 'error',
      logsFolder: null,
      allowClientClassCreation: false,
      schema: { definitions: SCHEMA, lockSchemas: true },
      cloud: addHooks,
    });
    await parse.start();
    const app = express();
    // Hooks do not see the bytes that were signed. Parse Server accepts a body that is parsed already.
    app.use(
      express.json({
        verify: (request, _response, body) => {
          request.headers[RAW_BODY] = body;
        },
      }),
    );
    app.use(parse.app);
    const server = createServer(app).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return origin;
  },
  /** @param {'plain' | 'verified' | 'derived'} next */
  async setWork(next) {
    work = next;
  },
};

serveCalls(calls);
