import { expect, test } from 'vitest';
import { findBrand } from './brand-use.ts';
import { parseLinkAddress } from './link-address.ts';

test.each([
  ['https://www.paypal.com/signin', 'own'],
  ['https://signin.aws.amazon.co.jp/', 'own'],
  ['https://login.live.com/', 'own'],
  ['https://spotify.link/abc', 'own'],
  ['https://photos.app.goo.gl/abc', 'own'],
  ['https://strava.app.link/abc', 'own'],
  ['https://blog.google/products', 'own'],
  ['https://bank.sbi/web', 'own'],
  ['https://www.dhl-geschaeftskundenportal.de', 'own'],
  ['https://spotify.link.example.com', 'in_subdomain'],
  ['https://spotify-link.com', 'in_name'],
  ['https://netflix.app.link/abc', 'in_subdomain'],
  ['https://xn--spotfy-5va.link/', 'look_alike'],
  ['https://roblox.com.ge/users/1/profile', 'odd_suffix'],
  ['https://paypal-resolution.example.com', 'in_subdomain'],
  ['https://secure-netflix.com', 'in_name'],
  ['https://dhl.parcel-fee.top', 'in_subdomain'],
  ['https://mymetamaskapp.com', 'inside'],
  ['https://netfl1x.com', 'look_alike'],
  ['https://rnicrosoft.com', 'look_alike'],
  ['https://instagrarm.net', 'look_alike'],
  ['https://trezerwallett.webflow.io', 'look_alike_start'],
  ['https://someone.github.io/netflix-clone', 'in_path'],
  ['https://gardening.example.org/roses', 'none'],
  ['https://finance.example.org', 'none'],
])('of %s the use of a brand is %s', (url, use) => {
  const address = parseLinkAddress(url);
  expect(address && findBrand(address).use).toBe(use);
});
