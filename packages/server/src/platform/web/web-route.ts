import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Html } from './html.ts';

/** One request of a browser to a page of the service. */
export interface WebRequest {
  readonly method: 'GET' | 'POST';
  /** The path below the mount point, such as `/login`. */
  readonly path: string;
  /** Values of the `:name` parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a submitted form; empty for GET. Its form token has been checked. */
  readonly form: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
  /** Random id of the browser, in a cookie. It identifies no person: what a browser has begun is bound to it. */
  readonly browserId: string;
  /** What every form must contain: see `formTokenField`. */
  readonly formToken: string;
  /** Key of the caller's address for limits: an IPv4 address or an IPv6 /64. */
  readonly peer: string;
  /** The address to show to the person. */
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly site: WebSite;
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

/** Where the pages are. */
export interface WebSite {
  /** The address of the pages, without a slash at the end: `{auth_url}`. */
  readonly url: string;
  /** Whether people reach it over https: cookies are then `__Host-` and `Secure`. */
  readonly isSecure: boolean;
  /** Returns the path of a page as a browser requests it, such as `/auth/login`. */
  path(page: string): string;
  /** The path of the console as a browser requests it, such as `/console`. It has the origin of the pages. */
  readonly consolePath: string;
}

export interface WebReply {
  readonly status: number;
  /** A page: its title and the content of its `main`. */
  readonly page?: { readonly title: string; readonly body: Html };
  /** Anything but a page. */
  readonly body?: { readonly type: string; readonly content: string | Buffer };
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins, besides our own, that a form of the page may lead to: Chromium applies `form-action` to redirects as well. */
  readonly formTargets?: readonly string[];
}

export interface WebRoute {
  readonly method: 'GET' | 'POST';
  /** Below the mount point: `/interaction/:uid`. */
  readonly path: string;
  handle(request: WebRequest): Promise<WebReply>;
}

export function webRoute(method: 'GET' | 'POST', path: string, handle: WebRoute['handle']): WebRoute {
  return { method, path, handle };
}

/** Replies with a page. */
export function toPage(
  title: string,
  body: Html,
  more: Partial<Omit<WebReply, 'page' | 'body'>> = {},
): WebReply {
  return { status: 200, ...more, page: { title, body } };
}

/** Sends the browser elsewhere with GET. */
export function toRedirect(location: string, more: Pick<WebReply, 'cookies' | 'headers'> = {}): WebReply {
  return { ...more, status: 303, headers: { ...more.headers, location } };
}
