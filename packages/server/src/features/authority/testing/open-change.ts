import type { Database } from '../../../database/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { RequestDatabase } from '../request-database.ts';

/** Begins a transaction of a request, which stays open until `end` is called. */
export async function openChange(
  database: Database,
  request: AdmittedRequest,
): Promise<{ readonly committed: Promise<void>; readonly end: () => void }> {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const requests = new RequestDatabase({ database, clock: systemClock });
  const committed = requests.transaction(request, async () => {
    begin();
    await ended;
  });
  await Promise.race([begun, committed]);
  return { committed, end };
}
