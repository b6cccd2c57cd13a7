/** Every error that the API answers with: its HTTP status, and the sentence that people read. */
export const ERRORS = {
  'request.invalid': { status: 400, title: 'We can’t read this request' },
  'request.version': { status: 400, title: 'We don’t speak this version' },
  'route.not_found': { status: 404, title: 'Nothing at this address' },
  'route.method': { status: 405, title: 'This address doesn’t take this method' },
  'server.unexpected': { status: 500, title: 'Something went wrong on our side' },
  'server.stopping': { status: 503, title: 'The server is restarting' },
  'server.incomplete': { status: 503, title: 'Part of the site’s missing' },
  'server.full': { status: 503, title: 'The server has run out of room' },
  'server.busy': { status: 503, title: 'The server is busy right now' },
  KS_APP: { status: 404, title: 'We don’t know this app' },
  KS_HWID: { status: 400, title: 'The device ID is missing or broken' },
  KS_ZONE: { status: 400, title: 'The zone is broken' },
  KS_CAPTCHA: { status: 403, title: 'The captcha isn’t done' },
  KS_COOLDOWN: { status: 403, title: 'This device is on a timeout' },
  KS_BLOCKED: { status: 403, title: 'This device is blocked' },
  KS_LIMIT: { status: 429, title: 'Too many tries at once' },
  KS_STEP: { status: 409, title: 'You’re on a different step' },
  KS_OTHER_ZONE: { status: 409, title: 'Your run started from another link' },
  KS_UNFINISHED: { status: 409, title: 'The step isn’t done yet' },
  KS_FAST: { status: 409, title: 'Step finished too quickly' },
  KS_PROOF: { status: 403, title: 'The advertiser didn’t confirm this step' },
  KS_TICKET: { status: 404, title: 'This return link doesn’t work' },
  KS_EXPIRED: { status: 410, title: 'This step ran out of time' },
  KS_REUSE: { status: 409, title: 'This confirmation was used before' },
  KS_PROVIDER_DOWN: { status: 503, title: 'The advertiser isn’t answering' },
  KS_BUSY: { status: 503, title: 'Too many people at once' },
  PAY_MODE: { status: 400, title: 'There’s no such plan' },
  PAY_CROSS_SITE: { status: 403, title: 'Start the payment yourself' },
  PAY_SIGNATURE: { status: 400, title: 'This isn’t from the payment provider' },
  PAY_ORDER: { status: 404, title: 'We can’t find this order' },
  RST_TOKEN: { status: 410, title: 'This link is used up or too old' },
  RST_LIMIT: { status: 429, title: 'You reset your devices not long ago' },
  CLM_FULL: { status: 409, title: 'Your plan has no room for another device' },
  RDM_CODE: { status: 404, title: 'That code doesn’t work' },
  RDM_USED: { status: 409, title: 'This code was already used' },
  RDM_REVOKED: { status: 410, title: 'This code doesn’t work anymore' },
  QA_ACCESS: { status: 403, title: 'This needs QA access' },
  QA_PIN: { status: 409, title: 'These versions can’t be pinned' },
  'release.invalid': { status: 422, title: 'This release can’t be published' },
  'release.store': { status: 503, title: 'Releases can’t be stored right now' },
  'release.exists': { status: 409, title: 'This version was published before, with other files' },
  'release.token_unknown': { status: 401, title: 'There is no such deploy token' },
  'release.token_expired': { status: 401, title: 'The deploy token has expired' },
  'release.other_unit': { status: 403, title: 'The deploy token is for another unit' },
  'release.not_trusted': { status: 403, title: 'This CI isn’t trusted with this' },
  'release.unknown': { status: 404, title: 'There is no such unit or version' },
  'release.locked': { status: 409, title: 'The unit is locked' },
  'release.impossible': { status: 409, title: 'The unit’s channels don’t allow this' },
  'release.misfit': { status: 422, title: 'The units wouldn’t fit together' },
  'stats.token_unknown': { status: 401, title: 'We don’t know this read token' },
  'stats.token_expired': { status: 401, title: 'This read token doesn’t work anymore' },
  DOWNLOAD_NONE: { status: 404, title: 'This download isn’t out yet' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** Reads a text from outside, such as the parameter `e` of an address. Undefined for any other text. */
export function parseErrorCode(value: string | null | undefined): ErrorCode | undefined {
  return ERROR_CODES.find((code) => code === value);
}
