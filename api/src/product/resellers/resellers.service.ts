import { SAMPLE_RESELLERS } from '@app/contracts/resellers';
import type { Db, ResellerRow } from '#api/foundation/db/schema.ts';
import { createResellersRepository } from './resellers.repository.ts';

export type ResellersService = ReturnType<typeof createResellersService>;

/** Lists the resellers, and seeds samples on a development server. */
export function createResellersService({ db, now }: { db: Db; now: () => number }) {
  const resellers = createResellersRepository(db);

  return {
    list(): Promise<ResellerRow[]> {
      return resellers.list();
    },

    /** Called once, before the first request of a development server. */
    seedSamples(): Promise<void> {
      const updatedAt = now();

      return resellers.seed(
        SAMPLE_RESELLERS.map(({ isArceusX, ...sample }, index) => ({
          ...sample,
          id: `sample-${index + 1}`,
          isArceusX: isArceusX ? 1 : 0,
          position: index + 1,
          updatedAt,
        })),
      );
    },
  };
}
