import type { DataRecord, DataRequest, NewDataRequest } from '@tps/contract';
import type { TestService, TestTenant } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';

/** Calls on the data requests of a tenant. */
export function dataRequestsOf(service: Pick<TestService, 'client'>, { credential }: TestTenant) {
  const read = async <Body>(path: string): Promise<Body> => {
    const { status, body, text } = await service.client.send('GET', path, { credential });
    if (status !== 200) throw new Error(`${path} answered ${text}`);
    return body as Body;
  };
  const pages = async <Item>(path: string): Promise<Item[]> => {
    const items: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { data: Item[]; next_cursor: string | null } = await read(`${path}?limit=7${at}`);
      items.push(...page.data);
      cursor = page.next_cursor;
    }
    return items;
  };
  return {
    read,
    pages,
    create: (body: NewDataRequest) => service.client.send('POST', '/data-requests', { credential, body }),
    /** Creates a request and waits until it has completed. */
    async complete(body: NewDataRequest): Promise<DataRequest> {
      const { status, body: created, text } = await this.create(body);
      if (status !== 202) throw new Error(`the request was answered ${text}`);
      const id = (created as DataRequest).request_id;
      let request = created as DataRequest;
      await waitUntil(async () => {
        request = await read<DataRequest>(`/data-requests/${id}`);
        return request.status === 'completed';
      });
      return request;
    },
    records: ({ request_id: id }: DataRequest) => pages<DataRecord>(`/data-requests/${id}/records`),
  };
}
