/** A version of the calls for apps, the value of the header `API-Version`. */
export interface ApiVersion {
  version: string;
  /** Set once a newer version exists: since when authors should leave this one, and when it ends (days in UTC). */
  deprecated?: { since: string; until: string };
}

/** The versions that the server speaks: the present one, and the one before until it ends. */
export const API_VERSIONS: readonly [ApiVersion, ...ApiVersion[]] = [{ version: '1' }];

/** What changed for apps, the newest first. */
export const API_CHANGES = [
  { day: '2026-11-29', id: 'wait' },
  { day: '2026-11-26', id: 'webhooks' },
  { day: '2026-11-26', id: 'apps' },
  { day: '2026-11-26', id: 'verdict' },
  { day: '2026-11-26', id: 'unknownVersion' },
  { day: '2026-11-26', id: 'problemType' },
  { day: '2026-11-21', id: 'version1' },
] as const;
export type ApiChange = (typeof API_CHANGES)[number]['id'];

/** The present version. The next one comes when programs written for this one would break. */
export const API_VERSION = API_VERSIONS[0].version;
