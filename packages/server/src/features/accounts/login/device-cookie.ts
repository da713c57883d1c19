import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookieName, toCookie } from '../../../platform/web/cookies.ts';
import type { WebRequest, WebSite } from '../../../platform/web/web-route.ts';
import type { Account } from '../account.ts';

const COOKIE = 'tps-device';
const MAX_AGE_S = 180 * 86_400;
const FORM = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * What the cookie depends on. It ends with the password, which others may have known, and when the address is verified: before
 * that, someone else may have had the account.
 */
export type DeviceOwner = Pick<Account, 'accountId' | 'emailVerifiedAtMs' | 'passwordChangedAtMs'>;

/**
 * Marks a browser in which a person has signed in. It is not a credential: it only lets the person try a password while
 * others fail on purpose (OWASP, "device cookies").
 */
export function createDeviceCookie(
  key: Buffer,
  owner: DeviceOwner,
  request: Pick<WebRequest, 'site' | 'cookies'>,
): string {
  return toDeviceCookie(key, owner, {
    device: findKnownDevice(key, owner, request) ?? randomBytes(16).toString('base64url'),
    site: request.site,
  });
}

/** Keeps a browser known in which its person has set a new password. */
export function renewDeviceCookie(
  key: Buffer,
  { before, after }: { before: DeviceOwner; after: DeviceOwner },
  request: Pick<WebRequest, 'site' | 'cookies'>,
): string | undefined {
  const device = findKnownDevice(key, before, request);
  return device === undefined ? undefined : toDeviceCookie(key, after, { device, site: request.site });
}

/** Returns the id of the browser if this person has signed in there since the password was set. */
export function findKnownDevice(
  key: Buffer,
  owner: DeviceOwner,
  { cookies, site }: Pick<WebRequest, 'site' | 'cookies'>,
): string | undefined {
  const [, device, mac] = FORM.exec(cookies.get(cookieName(site, COOKIE)) ?? '') ?? [];
  if (device === undefined || mac === undefined) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(key, owner, device);
  return given.length === expected.length && timingSafeEqual(given, expected) ? device : undefined;
}

function toDeviceCookie(
  key: Buffer,
  owner: DeviceOwner,
  { device, site }: { device: string; site: WebSite },
): string {
  const value = `${device}.${macOf(key, owner, device).toString('base64url')}`;
  return toCookie(COOKIE, value, { site, maxAgeS: MAX_AGE_S });
}

function macOf(key: Buffer, owner: DeviceOwner, device: string): Buffer {
  const { accountId, emailVerifiedAtMs, passwordChangedAtMs } = owner;
  const text = `${accountId} ${emailVerifiedAtMs} ${passwordChangedAtMs} ${device}`;
  return createHmac('sha256', key).update(text).digest();
}
