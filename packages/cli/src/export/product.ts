import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** The service in exported formats. `tps` is released together with it, so it has the same version. */
export const PRODUCT = { vendor: 'TPS', name: 'Threat Protection Service', version } as const;
