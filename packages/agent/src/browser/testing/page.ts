import { loadModels } from '@tps/detection';
import {
  type Agent,
  type BrowserAgentOptions,
  type BrowserEnrolOptions,
  type Detection,
  enrolBrowserDevice,
  openBrowserAgent,
} from '../../browser.ts';
import { systemClock } from '../../clock/system-clock.ts';

let opened: Agent | undefined;
const notices: string[] = [];

function agent(): Agent {
  if (opened === undefined) throw new Error('The page has no open agent');
  return opened;
}

/** What a test calls in a page that embeds the agent. Arguments and results are JSON. */
const device = {
  enrol: (options: BrowserEnrolOptions) => enrolBrowserDevice(options),
  async open(options: BrowserAgentOptions, { modelsUrl = '', clockAheadMs = 0 } = {}) {
    const models = modelsUrl && loadModels(new Uint8Array(await (await fetch(modelsUrl)).arrayBuffer()));
    const clock = { ...systemClock, nowMs: () => Date.now() + clockAheadMs };
    opened = await openBrowserAgent({
      ...options,
      clock,
      ...(models ? { models } : {}),
      onNotice: ({ kind }) => notices.push(kind),
    });
  },
  record: (detection: Detection) => agent().record(detection),
  scan: (text: string) => agent().scan({ type: 'text', text }),
  find: (eventId: string) => agent().find(eventId),
  flush: () => agent().flush(),
  health: () => agent().health(),
  refreshIndicators: () => agent().refreshIndicators(),
  rotateSigningKey: () => agent().rotateSigningKey(),
  rotateStorageKey: () => agent().rotateStorageKey(),
  notices: () => notices,
  close: () => agent().close(),
  /** Everything that is stored in the browser, as text, and which of its keys can be exported. */
  async dump(name: string) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const parts: string[] = [];
    const exportable: boolean[] = [];
    const visit = (value: unknown): void => {
      if (value instanceof Uint8Array) parts.push(new TextDecoder('latin1').decode(value));
      else if (value instanceof CryptoKey) exportable.push(value.extractable);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
      else parts.push(String(value));
    };
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store).getAll();
      await new Promise((resolve) => {
        all.onsuccess = resolve;
      });
      visit(all.result);
    }
    database.close();
    return { text: parts.join('\n'), exportable };
  },
};

Object.assign(globalThis, { device });
