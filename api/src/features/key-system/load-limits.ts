import type { Env } from '#api/env.ts';
import { readNamedFile } from '#api/read-named-file.ts';
import { DEFAULT_LIMITS, parseLimits, type Limits } from './limits.ts';

/**
 * Reads the numbers of the key system.
 * @throws EnvError that names the setting, when its file is unusable
 */
export function loadLimits({ LIMITS_FILE }: Pick<Env, 'LIMITS_FILE'>): Limits {
  return LIMITS_FILE === undefined ? DEFAULT_LIMITS : readNamedFile('LIMITS_FILE', LIMITS_FILE, parseLimits);
}
