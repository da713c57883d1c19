import type { ScanExample } from './scan-example.ts';

function link(name: string, content: string, expected: ScanExample['expected']): ScanExample {
  return { name, scan: { type: 'url', content }, expected };
}

const CAUGHT = { caught: true } as const;

/** Addresses of the forms that reports on phishing describe; none of them is a page we know to have stood there. */
export const LINKS: readonly ScanExample[] = [
  link(
    'a brand as subdomain of another domain',
    'https://www.paypal.com.account-secure-login.info/signin',
    CAUGHT,
  ),
  link('a brand with a hyphen and a cheap top level', 'http://usps-redelivery-track.top/us', CAUGHT),
  link('a bank on free hosting', 'https://wellsfargo-online-verify.weebly.com/', CAUGHT),
  link('a brand misspelt with a digit', 'https://paypa1-secure-login.com/signin', CAUGHT),
  link('a brand in Cyrillic letters', 'https://www.аррle-id-verify.com/login', CAUGHT),
  link('a sign-in page on hosting for developers', 'https://microsoft-office365-signin.web.app/', CAUGHT),
  link(
    'a webmail page on web hosting for developers',
    'https://outlook-webmail-upgrade.pages.dev/login',
    CAUGHT,
  ),
  link('a wallet that wants to be validated', 'https://metamask-wallet-validate.web.app/restore', CAUGHT),
  link('a defanged address of a toll scam', 'hxxps://ezpass-tollpay[.]vip/pay', CAUGHT),
  link('an account page of a shop at a number', 'http://203.0.113.77/amazon/account/signin.html', CAUGHT),
];

export const HONEST_LINKS: readonly ScanExample[] = [
  link('an encyclopaedia', 'https://en.wikipedia.org/wiki/Phishing', { caught: false }),
  link('the login of a bank itself', 'https://www.wellsfargo.com/', { caught: false }),
  link('an article of a newspaper', 'https://www.theguardian.com/technology/2024/mar/01/example-article', {
    caught: false,
  }),
  link('a project on a code host', 'https://github.com/nodejs/node', { caught: false }),
  link('the parcel service itself', 'https://www.usps.com/manage/welcome.htm', { caught: false }),
];
