import type { FormBrowser, HtmlPage } from '@tps/testing/browser';
import type { SoftAuthenticator } from './soft-authenticator.ts';

/** Reads the options that a page gives to its script. */
export function optionsOf({ html }: HtmlPage) {
  const text = /data-options="([^"]*)"/.exec(html)?.[1] ?? '{}';
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
}

/** Adds a passkey to the account of a browser that is signed in. Returns the page that follows. */
export async function addPasskey(browser: FormBrowser, phone: SoftAuthenticator): Promise<HtmlPage> {
  const page = await browser.submit(await browser.open('/auth/account/passkeys'), { name: "Ann's phone" });
  return browser.submit(page, { answer: phone.create(optionsOf(page)) });
}

/** Begins a sign-in with a passkey that ends on the account page. */
export async function openPasskeyLogin(browser: FormBrowser): Promise<HtmlPage> {
  const page = await browser.open('/auth/login?return_to=/auth/account');
  return browser.submit(page, {}, { action: '/login/passkey' });
}
