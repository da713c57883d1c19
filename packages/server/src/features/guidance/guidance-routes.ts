import { listGuidance, type QueryOf, SEVERITIES } from '@tps/contract';
import type { CursorCodec, CursorPosition } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Route, route } from '../../platform/http/route.ts';
import type { GuidanceLibrary } from './load-guidance.ts';

export function guidanceRoutes({ cursors }: { cursors: CursorCodec }): Route[] {
  let library: Promise<GuidanceLibrary> | undefined;
  const readLibrary = () => {
    library ??= openLibrary();
    return library;
  };
  return [
    route(listGuidance, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listGuidance.path, query },
        read: async ({ after, limit }) => selectCards(await readLibrary(), query, after).slice(0, limit),
        keyOf: (card) => [card.guidance_id],
        toItem: (card) => card,
      }),
    })),
  ];
}

/** Loads parsers and cards on first use: at the start of the service they would take a quarter of its time. */
async function openLibrary(): Promise<GuidanceLibrary> {
  const { loadGuidance } = await import('./load-guidance.ts');
  return loadGuidance();
}

/** Returns the cards that match a query, after a position, in the order of the library. */
function selectCards(
  cards: GuidanceLibrary,
  query: QueryOf<typeof listGuidance>,
  after: CursorPosition | undefined,
): GuidanceLibrary[number][] {
  const { threat_category, severity, audience, locale } = query;
  const [last] = after ?? [];
  return cards.filter(
    (card) =>
      (last === undefined || card.guidance_id < last) &&
      (threat_category === undefined || card.threat_category === threat_category) &&
      (severity === undefined || SEVERITIES.indexOf(card.severity_min) <= SEVERITIES.indexOf(severity)) &&
      (audience === undefined || card.audience === audience) &&
      (locale === undefined || card.locale === locale),
  );
}
