/** A unit: a part of the product that is built, versioned and rolled back on its own. The registry knows their names. */
export type Unit = string;

/** The unit that loads all others, which are its remotes. */
export const SHELL = 'shell';

/**
 * The version of the host API: the shared packages, platform and design tokens that the shell gives to remotes.
 * Raise the major when you remove something, the minor when you add something; then run `node scripts/launch.mjs host-api`.
 */
export const HOST_API_VERSION = '3.3';

/** The id of the script element that contains the resolution. */
export const RESOLUTION_ELEMENT_ID = 'resolution';

/** The file of a release that says to other hosts, and to tools, what it exposes. Releases of earlier builds have none. */
export const FEDERATION_MANIFEST = 'mf-manifest.json';

/** After how many milliseconds a part of a page that has not arrived has failed; the product specification gives it. */
export const CHUNK_TIMEOUT_MS = 120_000;

/**
 * The faults that QA can simulate for a unit: its files cannot be had, come after a long wait, come broken, or its page
 * throws while it renders. `offline` and `slow` hit all versions of the unit, `corrupt` and `crashing` only the one that
 * was chosen.
 */
export const FAULTS = ['offline', 'slow', 'corrupt', 'crashing'] as const;
export type Fault = (typeof FAULTS)[number];
