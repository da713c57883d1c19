import { checkCertificate } from './check-certificate.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import { type Probe, probe } from './probe.ts';

const CLOCK_WARN_MS = 5_000;
/** A device's request is refused once its time is a minute ahead. */
const CLOCK_FAIL_MS = 60_000;

/** Looks at a service from outside, without a credential. */
export async function checkService(url: string, nowMs: number): Promise<CheckResult[]> {
  const tls = url.startsWith('https:') ? await checkCertificate(new URL(url), nowMs) : [];
  // Whoever cannot say who they are is not asked for more.
  if (tls.some(({ state }) => state === 'fail')) return tls;
  const ready = await probe(pathOf(url, '/readyz'));
  if (ready.kind === 'unreachable') {
    return [
      ...tls,
      fail(
        'service',
        `Nothing answers at ${url} (${ready.code}).`,
        'Is the service running, and the address right? tps serve',
      ),
    ];
  }
  return [...tls, toReadiness(url, ready), checkClock(ready.clockAheadMs)];
}

/** Gives the address of a path below the service's own. */
export function pathOf(url: string, path: string): URL {
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
      `${url} answers ${status}, and not as this service does.`,
      'Check the address, and any proxy.',
    );
  }
  return fail(
    'service',
    `${url} is not ready: ${message}.`,
    'Look at its log; `tps doctor` beside it checks its store.',
  );
}

function checkClock(aheadMs: number | undefined): CheckResult {
  if (aheadMs === undefined) {
    return warn('clock', 'The service tells no time.', 'A proxy removes the Date header: let it pass.');
  }
  const off = Math.abs(aheadMs);
  const seconds = `${Math.round(off / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the service's`;
  const mend = 'Set the clock by NTP, here or there: devices whose clock is off are refused.';
  if (off > CLOCK_FAIL_MS) return fail('clock', `This machine's clock is ${seconds}.`, mend);
  if (off > CLOCK_WARN_MS) return warn('clock', `This machine's clock is ${seconds}.`, mend);
  return ok('clock', 'The clocks agree.');
}
