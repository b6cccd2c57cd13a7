import { createTransact } from '#api/foundation/audit/transact.ts';
import { REPOSITORIES as LICENCE_REPOSITORIES } from '#api/product/licences/transact.ts';
import { createResellersRepository } from '#api/product/resellers/resellers.repository.ts';
import { createCodesRepository } from './codes.repository.ts';

const REPOSITORIES = {
  ...LICENCE_REPOSITORIES,
  codes: createCodesRepository,
  resellers: createResellersRepository,
};

export const transact = createTransact(REPOSITORIES);
