/** A version of the calls for apps, the value of the header `API-Version`. */
export interface ApiVersion {
  version: string;
  /** Set once a newer version exists: since when authors should leave this one, and when it ends (days in UTC). */
  leaving?: { since: string; until: string };
}

/** The versions that the server speaks: the present one, and the one before until it ends. */
export const API_VERSIONS: readonly [ApiVersion, ...ApiVersion[]] = [{ version: '1' }];

/** The present version. The next one comes when programs written for this one would break. */
export const API_VERSION = API_VERSIONS[0].version;
