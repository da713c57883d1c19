export type { PopulationPerson } from './people.ts';
export {
  type PopulatedService,
  type PopulatedServiceOptions,
  startPopulatedService,
} from './start-populated-service.ts';
