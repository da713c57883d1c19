import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { Liveness, Readiness } from './schema.ts';

export const getHealth = operation({
  operationId: 'getHealth',
  method: 'GET',
  path: '/healthz',
  tag: 'service',
  summary: 'Check that the process is alive',
  scope: null,
  responses: { 200: { description: 'The process is alive.', schema: Liveness, example: { status: 'ok' } } },
});

export const getReadiness = operation({
  operationId: 'getReadiness',
  method: 'GET',
  path: '/readyz',
  tag: 'service',
  summary: 'Check that requests can be served',
  description:
    '503 while the store cannot be reached or accepts no writes, while deliveries or jobs do not run, and while the service is starting or stopping.',
  scope: null,
  responses: {
    200: {
      description: 'Ready.',
      schema: Readiness,
      example: { status: 'ready', components: { store: 'up', dispatcher: 'up', workflow: 'up' } },
    },
  },
});

export const getOpenApi = operation({
  operationId: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'service',
  summary: 'Read the OpenAPI document',
  scope: null,
  responses: {
    200: {
      description: 'The OpenAPI 3.1 document.',
      schema: Type.Object({ openapi: Type.String() }, { description: 'An OpenAPI 3.1 document.' }),
      example: { openapi: '3.1.1' },
    },
  },
});

export const getDocs = operation({
  operationId: 'getDocs',
  method: 'GET',
  path: '/docs',
  tag: 'service',
  summary: 'Read the API reference as an HTML page',
  scope: null,
  responses: {
    200: {
      description: 'An HTML page that loads nothing from other hosts.',
      schema: Type.String(),
      example: '<!doctype html><title>Threat Protection Service</title>',
      mediaType: 'text/html',
    },
    301: { description: 'The page is at `/docs/`.', headers: ['Location'] },
  },
});

export const serviceOperations = [getHealth, getReadiness, getOpenApi, getDocs] as const;
