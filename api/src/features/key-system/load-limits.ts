import type { Env } from '#api/env.ts';
import { parseJson } from '#api/parse-json.ts';
import { readNamedFile } from '#api/read-named-file.ts';
import { findContradictions } from './contradictions.ts';
import { DEFAULT_LIMITS, limitsSchema, type Limits } from './limits.ts';

/**
 * Reads the numbers of the key system.
 * @throws EnvError that names the setting, when its file is unusable
 */
export function loadLimits({ LIMITS_FILE }: Pick<Env, 'LIMITS_FILE'>): Limits {
  return LIMITS_FILE === undefined ? DEFAULT_LIMITS : readNamedFile('LIMITS_FILE', LIMITS_FILE, parseLimits);
}

/** Reads the text of the file, or throws with the names of what is wrong in it. */
export function parseLimits(text: string): Limits {
  const limits = parseJson(limitsSchema, text);
  const contradictions = findContradictions(limits);
  if (contradictions.length > 0) throw new Error(contradictions.join('; '));

  return limits;
}
