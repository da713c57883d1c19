import type { Role } from '@tps/contract';
import type { TenantId } from '@tps/server/store';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Chromium } from '../browser/use-chromium.ts';
import { createPerson, type TestPerson } from '../service/test-person.ts';
import type { TestService } from '../service/test-service.ts';
import { startSession } from './console-session.ts';

export interface OpenConsoleOptions {
  /** The role in the tenant (default: admin). */
  readonly role?: Role;
  /** The tenant to open (default: the first one of the service). */
  readonly tenantId?: TenantId;
  /** A person who exists already; `role` is ignored. */
  readonly person?: TestPerson;
  /** Below the console of the tenant, such as `/alerts?severity=high`. */
  readonly path?: string;
  /** When the person signed in (default: now). Some changes need a sign-in of the last ten minutes. */
  readonly signedInAtMs?: number;
  readonly context?: BrowserContextOptions;
  /** Messages that the test causes on purpose, such as the one for a response of 403. */
  readonly allowMessages?: readonly RegExp[];
}

/** The console in Chromium, and what the browser has complained about. */
export interface OpenedConsole {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly person: TestPerson;
  readonly problems: ConsoleProblems;
  /** Opens a path below the console of the tenant. */
  goto(path: string): Promise<void>;
}

/** What must not happen in any test. Checked when the test ends. */
interface ConsoleProblems {
  /** Violations of the content security policy. */
  readonly violations: string[];
  /** Errors in the browser's console, and errors that no script has caught. */
  readonly errors: string[];
  /** Requests to other origins, and web sockets. Other hosts are not reached. */
  readonly foreignRequests: string[];
}

/**
 * Opens the console in a new profile, signed in. When the test ends, it fails if the page has violated its policy, logged an
 * error or requested anything of another origin.
 */
export async function openConsole(
  service: Pick<TestService, 'service' | 'tenant' | 'baseUrl'>,
  chromium: Chromium,
  options: OpenConsoleOptions = {},
): Promise<OpenedConsole> {
  const { tenantId = service.tenant.tenantId, role = 'admin', path = '/' } = options;
  const person = options.person ?? (await createPerson(service, { tenantId, role }));
  const context = await chromium.newContext({ viewport: { width: 1280, height: 800 }, ...options.context });
  const nowMs = options.signedInAtMs ?? Date.now();
  const secret = await startSession(service, { accountId: person.accountId, nowMs });
  const cookie = { name: 'tps-session', value: secret, httpOnly: true, sameSite: 'Lax' } as const;
  await context.addCookies([{ ...cookie, url: service.baseUrl }]);
  const problems = watchProblems(context, service.baseUrl);
  onTestFinished(async () => {
    await context.close();
    const isUnexpected = (text: string) => !options.allowMessages?.some((allowed) => allowed.test(text));
    expect({ ...problems, errors: problems.errors.filter(isUnexpected) }).toEqual({
      violations: [],
      errors: [],
      foreignRequests: [],
    });
  });
  const page = await context.newPage();
  const goto = async (below: string) => {
    await page.goto(`${service.baseUrl}/console/${tenantId}${below}`);
  };
  await goto(path);
  return { page, context, person, problems, goto };
}

/** The browser notes each response of 4xx. Pages expect some of the API, and tests look at what the page then shows. */
function isRefusalOfApi(url: string, text: string): boolean {
  return /status of 4\d\d/.test(text) && !new URL(url).pathname.includes('/console');
}

function watchProblems(context: BrowserContext, baseUrl: string): ConsoleProblems {
  const problems: ConsoleProblems = { violations: [], errors: [], foreignRequests: [] };
  const { origin } = new URL(baseUrl);
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol.startsWith('http')) problems.foreignRequests.push(url.href);
  });
  // Web sockets are not among the requests. The console opens none.
  context.on('page', (page) => {
    page.on('websocket', (socket) => void problems.foreignRequests.push(socket.url()));
  });
  context.on('console', (message) => {
    const text = message.text();
    if (/content security policy/i.test(text)) problems.violations.push(text);
    else if (message.type() === 'error' && !isRefusalOfApi(message.location().url, text)) {
      problems.errors.push(`${text} (${message.location().url})`);
    }
  });
  context.on('weberror', (error) => void problems.errors.push(error.error().stack ?? String(error.error())));
  return problems;
}
