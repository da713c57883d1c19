import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source', 'node', 'import', 'default'] } };

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['packages/{contract,detection,signatures,agent}/src/**/*.test.ts'],
        },
      },
    ],
  },
});
