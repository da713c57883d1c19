import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Html, html } from './html.ts';
import type { WebRequest } from './web-route.ts';

const FIELD = 'form_token';

/** Returns the token of a browser's forms. Another site cannot know it: the browser's id is in a cookie of this host. */
export function toFormToken(key: Buffer, browserId: string): string {
  return createHmac('sha256', key).update(browserId).digest('base64url');
}

/** Builds the hidden field that every form of ours contains. */
export function formTokenField({ formToken }: Pick<WebRequest, 'formToken'>): Html {
  return html`<input type="hidden" name="${FIELD}" value="${formToken}">`;
}

/** Returns whether a form contains the token of the browser that sends it. */
export function hasFormToken(form: URLSearchParams, expected: string): boolean {
  const given = Buffer.from(form.get(FIELD) ?? '');
  const wanted = Buffer.from(expected);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
