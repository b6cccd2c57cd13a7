import { CAPTCHA } from './captcha.mjs';
import { FLOODING } from './flooding.mjs';
import { FUZZ } from './fuzz.mjs';
import { HEADERS } from './headers.mjs';
import { KEYS } from './keys.mjs';
import { NETWORKS } from './networks.mjs';
import { POSTBACKS } from './postbacks.mjs';
import { REPLAYING } from './replaying.mjs';
import { RETURNING } from './returning.mjs';
import { SKIPPING } from './skipping.mjs';
import { TICKETS } from './tickets.mjs';
import { ZONES } from './zones.mjs';

export { CLOCK } from './clock.mjs';
export { UNWELL } from './returning.mjs';

/** Every kind of hostile try that can be played at any time. `most` says how often at most. */
export const KINDS = [
  ...[
    SKIPPING,
    RETURNING,
    REPLAYING,
    TICKETS,
    POSTBACKS,
    KEYS,
    CAPTCHA,
    FUZZ,
    HEADERS,
    NETWORKS,
    ZONES,
    FLOODING,
  ].flat(),
];
