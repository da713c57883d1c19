import { testFetch } from '../service/test-fetch.ts';
import { CookieJar } from './cookie-jar.ts';
import { type HtmlForm, type HtmlPage, readPage } from './html-page.ts';

const MAX_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface PageRequest {
  readonly method?: 'GET' | 'POST';
  readonly body?: URLSearchParams;
  /** Replaces headers that a browser sends; `null` leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface SubmitOptions {
  /** The text of the button to press (default: the first one). */
  readonly button?: string;
  /** The end of the form's action, where several forms have the fields. */
  readonly action?: string;
  /** Replaces headers that a browser sends; `null` leaves one out. */
  readonly headers?: PageRequest['headers'];
}

/** A browser without JavaScript: keeps cookies, follows redirects within the service, and submits forms. */
export class FormBrowser {
  readonly cookies = new CookieJar();
  readonly #baseUrl: URL;

  constructor(baseUrl: string) {
    this.#baseUrl = new URL(baseUrl);
  }

  /** Opens an address, as a person who types it or follows a link of another site. */
  open(address: string | URL, headers: PageRequest['headers'] = {}): Promise<HtmlPage> {
    const url = new URL(address, this.#baseUrl);
    return this.#load(url, { headers: { 'sec-fetch-site': 'none', ...headers } });
  }

  /**
   * Fills in the first form that has all these fields and presses a button of it.
   * @throws Error when the page has no such form, no such button, or no such choice
   */
  submit(
    page: HtmlPage,
    values: Readonly<Record<string, string>> = {},
    options: SubmitOptions = {},
  ): Promise<HtmlPage> {
    const form = findForm(page, Object.keys(values), options.action);
    const body = fillIn(form, values);
    const button =
      options.button === undefined
        ? form.buttons[0]
        : form.buttons.find(({ text }) => text === options.button);
    if (!button && options.button !== undefined) throw new Error(`no button ${options.button}: ${page.text}`);
    if (button?.name !== undefined) body.set(button.name, button.value);
    if (form.method === 'get') return this.open(new URL(`?${body}`, form.action));
    return this.post(form.action, body, options.headers);
  }

  /** Sends a form that need not be on any page, with the headers of a page of the service. */
  post(
    address: string | URL,
    body: URLSearchParams | Readonly<Record<string, string>>,
    headers: PageRequest['headers'] = {},
  ): Promise<HtmlPage> {
    const url = new URL(address, this.#baseUrl);
    const own = { origin: this.#baseUrl.origin, 'sec-fetch-site': 'same-origin' };
    return this.#load(url, {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: { ...own, ...headers },
    });
  }

  async #load(start: URL, request: PageRequest): Promise<HtmlPage> {
    let [url, next] = [start, request];
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const response = await this.#send(url, next);
      const location = response.headers.get('location');
      const target = location !== null && REDIRECTS.has(response.status) ? new URL(location, url) : undefined;
      const page = target ? undefined : await readPage(response, url);
      const following = target ?? page?.refresh;
      if (page && !following) return page;
      if (following && following.origin !== this.#baseUrl.origin) {
        return { ...(page ?? (await readPage(response, url))), leftTo: following };
      }
      // A redirect of a request that another site began stays one of another site.
      const site = next.headers?.['sec-fetch-site'] ?? 'none';
      if (following) [url, next] = [following, { headers: { 'sec-fetch-site': site } }];
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects, the last one to ${url.href}`);
  }

  async #send(url: URL, { method = 'GET', body, headers = {} }: PageRequest): Promise<Response> {
    const cookie = this.cookies.header(url);
    const all = { accept: 'text/html', 'user-agent': 'FormBrowser', ...(cookie && { cookie }), ...headers };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    const response = await testFetch(url, {
      method,
      redirect: 'manual',
      headers: sent,
      ...(body && { body }),
    });
    this.cookies.accept(response.headers, url);
    return response;
  }
}

function findForm(page: HtmlPage, names: readonly string[], action = ''): HtmlForm {
  const form = page.forms.find(
    (one) => one.action.pathname.endsWith(action) && names.every((name) => one.names.has(name)),
  );
  if (form) return form;
  throw new Error(`no form ${action} with ${names.join(', ')} at ${page.url.pathname}: ${page.text}`);
}

function fillIn(form: HtmlForm, values: Readonly<Record<string, string>>): URLSearchParams {
  const body = new URLSearchParams(form.fields.map(([name, value]): [string, string] => [name, value]));
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  return body;
}
