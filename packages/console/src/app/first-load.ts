// What the first load consists of, for the build: `vite.config.ts` groups exactly these modules and what they need.
export { OverviewPage } from '../features/overview/overview-page.tsx';
export { renderApp } from './render-app.tsx';
export { start } from './start.ts';
