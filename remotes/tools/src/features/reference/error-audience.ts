import type { ErrorCode } from '@app/contracts/errors';

export const AUDIENCES = ['player', 'author', 'team', 'operator'] as const;

/** Who meets an error, and can do something about it: players, authors of apps, teams of the site, its operators. */
export type Audience = (typeof AUDIENCES)[number];

const PLAYER: readonly Audience[] = ['player'];
const AUTHOR: readonly Audience[] = ['author'];
const TEAM: readonly Audience[] = ['team'];
const BOTH: readonly Audience[] = ['player', 'author'];

export const MET_BY: Readonly<Record<ErrorCode, readonly Audience[]>> = {
  'request.invalid': AUTHOR,
  'request.version': AUTHOR,
  'route.not_found': AUTHOR,
  'route.method': AUTHOR,
  'server.unexpected': BOTH,
  'server.stopping': BOTH,
  'server.incomplete': ['player', 'operator'],
  'server.full': ['player', 'operator'],
  'server.busy': BOTH,
  KS_APP: BOTH,
  KS_HWID: BOTH,
  KS_ZONE: BOTH,
  KS_CAPTCHA: PLAYER,
  KS_COOLDOWN: PLAYER,
  KS_BLOCKED: BOTH,
  KS_LIMIT: BOTH,
  KS_STEP: PLAYER,
  KS_OTHER_ZONE: PLAYER,
  KS_UNFINISHED: PLAYER,
  KS_FAST: PLAYER,
  KS_PROOF: PLAYER,
  KS_TICKET: PLAYER,
  KS_EXPIRED: PLAYER,
  KS_REUSE: PLAYER,
  KS_PROVIDER_DOWN: PLAYER,
  KS_BUSY: PLAYER,
  PAY_MODE: PLAYER,
  PAY_CROSS_SITE: PLAYER,
  PAY_SIGNATURE: ['operator'],
  PAY_ORDER: PLAYER,
  RST_TOKEN: PLAYER,
  RST_LIMIT: PLAYER,
  CLM_FULL: PLAYER,
  RDM_CODE: PLAYER,
  RDM_USED: PLAYER,
  RDM_REVOKED: PLAYER,
  QA_ACCESS: TEAM,
  QA_PIN: TEAM,
  'release.invalid': TEAM,
  'release.store': ['team', 'operator'],
  'release.exists': TEAM,
  'release.token_unknown': TEAM,
  'release.token_expired': TEAM,
  'release.other_unit': TEAM,
  'release.not_trusted': TEAM,
  'release.unknown': TEAM,
  'release.locked': TEAM,
  'release.impossible': TEAM,
  'release.misfit': TEAM,
  'stats.token_unknown': AUTHOR,
  'stats.token_expired': AUTHOR,
  DOWNLOAD_NONE: PLAYER,
};
