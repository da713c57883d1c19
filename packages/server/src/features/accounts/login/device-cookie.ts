import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookieName, toCookie } from '../../../platform/web/cookies.ts';
import type { WebRequest } from '../../../platform/web/web-route.ts';
import type { AccountId } from '../account.ts';

const COOKIE = 'tps-device';
const MAX_AGE_S = 180 * 86_400;
const FORM = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Marks a browser in which a person has signed in. It is not a credential: it only lets the person try a password while
 * others fail on purpose (OWASP, "device cookies").
 */
export function createDeviceCookie(
  key: Buffer,
  accountId: AccountId,
  request: Pick<WebRequest, 'site' | 'cookies'>,
): string {
  const device = findKnownDevice(key, accountId, request) ?? randomBytes(16).toString('base64url');
  const value = `${device}.${macOf(key, accountId, device).toString('base64url')}`;
  return toCookie(COOKIE, value, { site: request.site, maxAgeS: MAX_AGE_S });
}

/** Returns the id of the browser if this person has signed in there. */
export function findKnownDevice(
  key: Buffer,
  accountId: AccountId,
  { cookies, site }: Pick<WebRequest, 'site' | 'cookies'>,
): string | undefined {
  const [, device, mac] = FORM.exec(cookies.get(cookieName(site, COOKIE)) ?? '') ?? [];
  if (device === undefined || mac === undefined) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(key, accountId, device);
  return given.length === expected.length && timingSafeEqual(given, expected) ? device : undefined;
}

function macOf(key: Buffer, accountId: AccountId, device: string): Buffer {
  return createHmac('sha256', key).update(`${accountId} ${device}`).digest();
}
