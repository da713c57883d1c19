import { createHash } from 'node:crypto';
import { getDocs, getOpenApi } from '@tps/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import type { PublicPaths } from '../../platform/http/public-paths.ts';

/** An asset of the documentation page: the page itself or its script. */
export interface DocsAsset {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Returns the documentation page and its assets, by path. The library is loaded on first use: it takes 110 ms and
 * 30 MB, which a service without readers saves.
 */
export function createDocsPage(paths: PublicPaths): (path: string) => Promise<DocsAsset> {
  let pages: Promise<FastifyInstance> | undefined;
  return async (path) => {
    pages ??= loadPages(paths);
    const answer = await (await pages).inject({ method: 'GET', url: path });
    const isPage = String(answer.headers['content-type']).startsWith('text/html');
    const body = isPage ? Buffer.from(withoutEval(answer.body)) : answer.rawPayload;
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      KEPT_HEADERS.includes(name) ? [[name, String(value)]] : [],
    );
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      body,
      headers: {
        ...Object.fromEntries(headers),
        ...(typeof location === 'string' ? { location: paths.toPublic(location) } : {}),
        ...(isPage ? { 'content-security-policy': toPolicy(body.toString()) } : {}),
      },
    };
  };
}

const KEPT_HEADERS = ['content-type', 'etag'];

const ICON = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'/>";

/** The library's offers lead to other hosts, which the policy of the page forbids: their buttons would do nothing. */
const WITHOUT_OFFERS = {
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  customCss: '.darklight-reference a { display: none }',
} as const;

async function loadPages(paths: PublicPaths): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify();
  await pages.register(scalar, {
    routePrefix: getDocs.path,
    configuration: {
      url: paths.toPublic(getOpenApi.path),
      pageTitle: 'Threat Protection Service API',
      favicon: ICON,
      withDefaultFonts: false,
      telemetry: false,
      ...WITHOUT_OFFERS,
    },
  });
  return pages;
}

/** Zod, a part of the library, tries whether it may compile code at run time. The policy forbids it, and browsers report that. */
const WITHOUT_EVAL = '<script>globalThis.__zod_globalConfig = { jitless: true }</script>';

function withoutEval(html: string): string {
  return html.replace('<script', `${WITHOUT_EVAL}\n$&`);
}

/**
 * The page runs only its own scripts and contacts only this service. Its inline scripts are allowed by their
 * digests.
 */
function toPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => script,
  );
  const digests = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${digests.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
