import { ComponentState, closed, stringEnum } from '../schema/values.ts';

export const Liveness = closed(
  { status: stringEnum(['ok'], 'The process responds.') },
  { $id: 'Liveness', description: 'The process is alive.' },
);

export const Readiness = closed(
  {
    status: stringEnum(['ready'], 'Requests can be served.'),
    components: closed({ store: ComponentState, dispatcher: ComponentState, workflow: ComponentState }),
  },
  { $id: 'Readiness', description: 'Whether the service can handle requests now.' },
);
