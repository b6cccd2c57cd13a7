import { CODES } from './codes.ts';
import { FUZZ_BODIES } from './fuzz-bodies.ts';
import { FUZZ_PATHS } from './fuzz-paths.ts';
import { FUZZ_QUERIES } from './fuzz-queries.ts';
import { KEYS } from './keys.ts';
import { PAYING } from './paying.ts';
import { POSTBACKS } from './postbacks.ts';
import { REPLAYING } from './replaying.ts';
import { RETURNING } from './returning.ts';
import { SKIPPING } from './skipping.ts';
import { TICKETS } from './tickets.ts';
import type { Scenario } from './scenario.ts';

export { UNHEALTHY } from './returning.ts';

/** All hostile scenarios that can be played at any time. */
export const SCENARIOS: Scenario[] = [
  SKIPPING,
  RETURNING,
  REPLAYING,
  TICKETS,
  POSTBACKS,
  KEYS,
  FUZZ_QUERIES,
  FUZZ_BODIES,
  FUZZ_PATHS,
  PAYING,
  CODES,
].flat();
