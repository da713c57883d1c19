import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type PopulatedService, startPopulatedService } from '@tps/testing/population';

/** Starts the service with a tenant as after months of use, prints how to sign in, and runs until the signal. */
export async function keepDemo(signal: AbortSignal): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tps-demo-'));
  try {
    console.log(
      'Populating a tenant: devices report for two weeks, analysts triage. This takes some seconds.',
    );
    const service = await startPopulatedService({ directory });
    console.log(describeConsole(service));
    await service.keepReporting(signal);
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns how to open the console and the API. Account, credential and store are removed with the service. */
function describeConsole({ baseUrl, tenantId, credential, people, events }: PopulatedService): string {
  const [admin] = people;
  const header = `<<< 'Authorization: Bearer ${credential}'`;
  return [
    '',
    `  ${styleText('bold', 'Console')}   ${baseUrl}/console/${tenantId}`,
    `  ${styleText('bold', 'E-mail')}    ${admin?.email}`,
    `  ${styleText('bold', 'Password')}  ${admin?.password}`,
    '',
    `${events} events of 16 devices. A device reports every few seconds. The other members have other passwords.`,
    `Ctrl-C stops the service and removes its store.`,
    '',
    `  curl -s -H @- '${baseUrl}/status' ${header}`,
    `  curl -s -H @- '${baseUrl}/incidents?status=open&severity=high,critical' ${header}`,
    `  ${baseUrl}/docs`,
    '',
  ].join('\n');
}
