import type { Env } from '#api/foundation/settings/env.ts';
import { parseJson, readNamedFile } from '#api/foundation/settings/read-json.ts';
import { findContradictions } from './contradictions.ts';
import { DEFAULT_LIMITS, limitsSchema, type Limits } from './limits.ts';

/**
 * Reads the limits from LIMITS_FILE; the defaults without one.
 * @throws EnvError that names the setting, when its file is unusable
 */
export function loadLimits({ LIMITS_FILE }: Pick<Env, 'LIMITS_FILE'>): Limits {
  return LIMITS_FILE === undefined ? DEFAULT_LIMITS : readNamedFile('LIMITS_FILE', LIMITS_FILE, parseLimits);
}

/**
 * Parses the text of the file.
 * @throws Error that names every wrong member, and those that contradict each other
 */
export function parseLimits(text: string): Limits {
  const limits = parseJson(limitsSchema, text);
  const contradictions = findContradictions(limits);
  if (contradictions.length > 0) throw new Error(contradictions.join('; '));

  return limits;
}
