import type { FormBrowser } from './form-browser.ts';
import type { HtmlPage } from './html-page.ts';

/** Signs a person in with a password. Returns the page that follows. */
export async function signIn(
  browser: FormBrowser,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<HtmlPage> {
  return browser.submit(await browser.open('/auth/login'), { email, password });
}

export interface ConsentChoice {
  /** The button that the person presses (default: Allow). */
  readonly button?: 'Allow' | 'Deny';
  /** The tenant that the person chooses, where there is a choice. */
  readonly tenantId?: string;
}

/**
 * Follows an authorization request as a person who is signed in and answers the consent page, if one is shown. Returns the
 * address of the client to which the service then led, with the code or the error.
 */
export async function authorize(
  browser: FormBrowser,
  address: string | URL,
  choice: ConsentChoice = {},
): Promise<URL> {
  const first = await browser.open(address);
  const page = first.leftTo ? first : await answerConsent(browser, first, choice);
  if (page.leftTo) return page.leftTo;
  throw new Error(`the service did not lead back to the client: ${page.status} ${page.title}: ${page.text}`);
}

/** Allows the device that shows this code, as a person who is signed in. Returns the last page. */
export async function approveDevice(
  browser: FormBrowser,
  userCode: string,
  choice: ConsentChoice = {},
): Promise<HtmlPage> {
  const form = await browser.open('/auth/device');
  return answerConsent(browser, await browser.submit(form, { user_code: userCode }), choice);
}

function answerConsent(
  browser: FormBrowser,
  page: HtmlPage,
  { button = 'Allow', tenantId }: ConsentChoice,
): Promise<HtmlPage> {
  return browser.submit(page, tenantId === undefined ? {} : { tenant: tenantId }, { button });
}
