import { checkCertificate } from './check-certificate.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import { type Probe, probe } from './probe.ts';

const CLOCK_WARN_MS = 5_000;
/** The service rejects a device's request whose time is more than a minute ahead. */
const CLOCK_FAIL_MS = 60_000;

/** Checks a service from outside, without a credential. */
export async function checkService(url: string, nowMs: number): Promise<CheckResult[]> {
  const tls = url.startsWith('https:') ? await checkCertificate(new URL(url), nowMs) : [];
  // Without a verified identity no further request is sent.
  if (tls.some(({ state }) => state === 'fail')) return tls;
  const ready = await probe(toEndpoint(url, '/readyz'));
  if (ready.kind === 'unreachable') {
    return [
      ...tls,
      fail(
        'service',
        `${url} does not respond (${ready.code}).`,
        'Check the address, and that the service is running: tps serve',
      ),
    ];
  }
  return [...tls, toReadiness(url, ready), checkClock(ready.clockAheadMs)];
}

/** Returns the URL of a path below the URL of the service. */
export function toEndpoint(url: string, path: string): URL {
  return new URL(`${url.replace(/\/+$/, '')}${path}`);
}

function toReadiness(url: string, { status, body }: Extract<Probe, { kind: 'answered' }>): CheckResult {
  if (status === 200 && (body as { status?: unknown } | undefined)?.status === 'ready') {
    return ok('service', `${url} is ready.`);
  }
  const { message } = (body as { error?: { message?: string } } | undefined)?.error ?? {};
  if (message === undefined) {
    return fail(
      'service',
      `${url} responded ${status}, but not like this service.`,
      'Check the address and any proxy.',
    );
  }
  return fail(
    'service',
    `${url} is not ready: ${message}.`,
    'Check its log. Run `tps doctor` on its machine to check its store.',
  );
}

function checkClock(aheadMs: number | undefined): CheckResult {
  if (aheadMs === undefined) {
    return warn('clock', 'The response has no Date header.', 'Configure the proxy to keep the Date header.');
  }
  const off = Math.abs(aheadMs);
  const seconds = `${Math.round(off / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the service's`;
  const fix = 'Synchronize both clocks with NTP: requests of devices with a wrong clock are rejected.';
  if (off > CLOCK_FAIL_MS) return fail('clock', `This machine's clock is ${seconds}.`, fix);
  if (off > CLOCK_WARN_MS) return warn('clock', `This machine's clock is ${seconds}.`, fix);
  return ok('clock', 'The clocks of this machine and the service agree.');
}
