/** How many days the figures of an app can be of at most. */
export const MAX_STATS_DAYS = 90;

/** A token that reads the figures of one app. */
export const STATS_TOKEN_PATTERN = /^stats_[\w-]{32}$/;
