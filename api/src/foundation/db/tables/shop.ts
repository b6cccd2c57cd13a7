import type { Generated } from 'kysely';

export interface RecentPurchaseTable {
  id: string;
  name: string;
  location: string;
  countryCode: string;
  boughtAt: number;
  /** 1 for a demo row. */
  isDemo: Generated<number>;
}

export interface ResellerTable {
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
}
