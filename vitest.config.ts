import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'api',
      {
        test: {
          name: 'units',
          include: ['{shell,remotes,shared}/**/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
