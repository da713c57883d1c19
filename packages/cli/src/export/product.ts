/** Name of the service in exported formats. */
export const PRODUCT = { vendor: 'TPS', name: 'Threat Protection Service' } as const;
