import { existsSync } from 'node:fs';

/** Adds the settings of a file `.env`, where there is one; what the environment says already stays. */
export function loadEnv() {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
