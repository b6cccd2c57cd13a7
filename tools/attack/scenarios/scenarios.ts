import { CAPTCHA } from './captcha.ts';
import { CODES } from './codes.ts';
import { FLOODING } from './flooding.ts';
import { FUZZ_BODIES } from './fuzz-bodies.ts';
import { FUZZ_PATHS } from './fuzz-paths.ts';
import { FUZZ_QUERIES } from './fuzz-queries.ts';
import { HEADERS } from './headers.ts';
import { KEYS } from './keys.ts';
import { LINKS } from './links.ts';
import { MESSAGES } from './messages.ts';
import { NETWORKS } from './networks.ts';
import { PAYING } from './paying.ts';
import { POSTBACKS } from './postbacks.ts';
import { REPLAYING } from './replaying.ts';
import { RETURNING } from './returning.ts';
import { SKIPPING } from './skipping.ts';
import { TICKETS } from './tickets.ts';
import type { Scenario } from './scenario.ts';
import { ZONES } from './zones.ts';

export { CLOCK } from './clock.ts';
export { UNHEALTHY } from './returning.ts';

/** All hostile scenarios that can be played at any time. */
export const SCENARIOS: Scenario[] = [
  SKIPPING,
  RETURNING,
  REPLAYING,
  TICKETS,
  POSTBACKS,
  KEYS,
  CAPTCHA,
  FUZZ_QUERIES,
  FUZZ_BODIES,
  FUZZ_PATHS,
  HEADERS,
  NETWORKS,
  ZONES,
  FLOODING,
  PAYING,
  MESSAGES,
  CODES,
  LINKS,
].flat();
