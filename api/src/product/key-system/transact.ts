import type { Db } from '#api/foundation/db/schema.ts';
import { bind, createTransact } from '#api/foundation/audit/transact.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createAppsRepository, createRunsRepository } from './runs.repository.ts';
import { createAttemptsRepository, createStrikesRepository } from './attempts.repository.ts';

export const REPOSITORIES = {
  apps: createAppsRepository,
  attempts: createAttemptsRepository,
  devices: createDevicesRepository,
  keys: createKeysRepository,
  passes: createCaptchaRepository,
  runs: createRunsRepository,
  strikes: createStrikesRepository,
};

export function createRepositories(db: Db) {
  return bind(db, REPOSITORIES);
}

export const transact = createTransact(REPOSITORIES);
