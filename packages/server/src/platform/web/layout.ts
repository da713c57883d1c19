import { type Html, html } from './html.ts';
import type { WebSite } from './web-route.ts';

/** Builds the document around the content of a page. */
export function layout(site: WebSite, { title, body }: { title: string; body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Threat Protection Service</title>
<link rel="icon" href="${site.path('/assets/icon.svg')}">
<link rel="stylesheet" href="${site.path('/assets/style.css')}">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;
}
