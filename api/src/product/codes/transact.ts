import { createTransact } from '#api/foundation/audit/transact.ts';
import { createRepositories } from '#api/product/licences/transact.ts';
import { createResellersRepository } from '#api/product/resellers/resellers.repository.ts';
import { createCodesRepository } from './codes.repository.ts';

export const transact = createTransact((db) => ({
  ...createRepositories(db),
  codes: createCodesRepository(db),
  resellers: createResellersRepository(db),
}));
