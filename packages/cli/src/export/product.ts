/** How the service calls itself in the formats of others. */
export const PRODUCT = { vendor: 'TPS', name: 'Threat Protection Service' } as const;
