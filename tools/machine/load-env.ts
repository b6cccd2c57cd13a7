import { existsSync } from 'node:fs';

/** Loads the settings of the file `.env`, if it exists. Variables that the environment already has stay as they are. */
export function loadEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
