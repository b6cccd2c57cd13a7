import type { Generated } from 'kysely';

export interface ResellerTables {
  reseller: {
    id: string;
    name: string;
    logo: string;
    description: string;
    discord: string;
    buyLink: string;
    isArceusX: Generated<number>;
    trusted: number | null;
    position: number;
    updatedAt: number;
  };
}
