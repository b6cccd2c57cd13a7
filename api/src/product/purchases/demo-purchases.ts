import type { NewPurchase } from '#api/foundation/db/schema.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** Invented purchases, and how long ago each of them was made. `Demo:` distinguishes them from real customers. */
const DEMO = [
  { name: 'Demo: Lena K.', location: 'Hamburg', countryCode: 'DE', ago: 4 * MINUTE },
  { name: 'Demo: Mateus R.', location: 'Recife', countryCode: 'BR', ago: 38 * MINUTE },
  { name: 'Demo: Minh T.', location: 'Da Nang', countryCode: 'VN', ago: 2 * HOUR },
  { name: 'Demo: Aisha B.', location: 'Surabaya', countryCode: 'ID', ago: 5 * HOUR },
  { name: 'Demo: Tom W.', location: 'Leeds', countryCode: 'GB', ago: 9 * HOUR },
  { name: 'Demo: Camila S.', location: 'Medellín', countryCode: 'CO', ago: 14 * HOUR },
  { name: 'Demo: Jakub N.', location: 'Gdańsk', countryCode: 'PL', ago: 19 * HOUR },
  { name: 'Demo: Ella M.', location: 'Austin', countryCode: 'US', ago: 24 * HOUR },
  { name: 'Demo: Paolo G.', location: 'Bari', countryCode: 'IT', ago: 30 * HOUR },
  // Older than yesterday at every time of the day.
  { name: 'Demo: Sofie H.', location: 'Ghent', countryCode: 'BE', ago: 49 * HOUR },
];

/**
 * Makes the feed of a site without customers: purchases of today, of yesterday and older.
 * @param now epoch milliseconds
 */
export function buildDemoPurchases(now: number): NewPurchase[] {
  return DEMO.map(({ ago, ...purchase }, index) => ({ id: `demo-${index + 1}`, ...purchase, boughtAt: now - ago }));
}
