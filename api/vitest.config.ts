import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'api',
    environment: 'node',
    include: ['src/**/*.test.ts'],
    pool: 'forks',
    // Files share what they import: what a test changes for all it puts back.
    isolate: false,
    // The in-process PostgreSQL takes seconds to start on a busy machine.
    hookTimeout: 60_000,
    testTimeout: 20_000,
  },
});
