import { createTransact } from '#api/features/audit/transact.ts';
import { createRepositories } from '#api/features/licences/transact.ts';
import { createResellersRepository } from '#api/features/resellers/resellers.repository.ts';
import { createCodesRepository } from './codes.repository.ts';

export const transact = createTransact((db) => ({
  ...createRepositories(db),
  codes: createCodesRepository(db),
  resellers: createResellersRepository(db),
}));
