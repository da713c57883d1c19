import type { ReadQueries } from '../../../database/index.ts';

/** Counts the webhooks of all tenants that the service has disabled, other than on the wish of their receiver. */
export async function countGivenUpWebhooks({ db }: ReadQueries): Promise<number> {
  const { total } = await db
    .selectFrom('webhooks')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('status', '=', 'disabled')
    .where('disabled_reason', 'in', ['failing', 'secret_lost'])
    .executeTakeFirstOrThrow();
  return Number(total);
}
