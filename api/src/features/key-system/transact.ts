import type { Db } from '#api/db/schema.ts';
import { createTransact } from '#api/features/audit/transact.ts';
import { createCaptchaRepository } from '#api/features/captcha/captcha.repository.ts';
import { createDevicesRepository } from '#api/features/devices/devices.repository.ts';
import { createKeysRepository } from '#api/features/keys/keys.repository.ts';
import { createAppsRepository } from './apps.repository.ts';
import { createAttemptsRepository } from './attempts.repository.ts';
import { createRunsRepository } from './runs.repository.ts';
import { createStrikesRepository } from './strikes.repository.ts';

/** The repositories of every table that the key system writes. */
export function createRepositories(db: Db) {
  return {
    apps: createAppsRepository(db),
    attempts: createAttemptsRepository(db),
    devices: createDevicesRepository(db),
    keys: createKeysRepository(db),
    passes: createCaptchaRepository(db),
    runs: createRunsRepository(db),
    strikes: createStrikesRepository(db),
  };
}

export const transact = createTransact(createRepositories);
