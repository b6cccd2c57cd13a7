/** A database that has these tables belongs to this site, in whichever version. */
export const OUR_TABLES = ['run', 'access_key', 'audit_event', 'kysely_migration'] as const;
