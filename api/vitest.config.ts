import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'api',
    environment: 'node',
    include: ['src/**/*.test.ts'],
    globalSetup: 'src/test/migrated-template.ts',
    pool: 'forks',
    // Test files share their imports: a test that changes something global has to restore it.
    isolate: false,
    // The in-process PostgreSQL takes seconds to start on a busy machine.
    hookTimeout: 60_000,
    testTimeout: 20_000,
  },
});
