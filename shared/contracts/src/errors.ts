/**
 * Every error that the API answers with: its HTTP status, and the sentence that people read. The types below are
 * made from this table.
 */
export const ERRORS = {
  'request.invalid': { status: 400, title: 'The request could not be understood' },
  'route.not_found': { status: 404, title: 'Nothing answers at this address' },
  'route.method': { status: 405, title: 'This address does not take this method' },
  'server.unexpected': { status: 500, title: 'Something went wrong on our side' },
  'server.stopping': { status: 503, title: 'The server is restarting' },
  'server.incomplete': { status: 503, title: 'The server lacks a part of the site' },
  'server.full': { status: 503, title: 'The server has no room left to write' },
  'server.busy': { status: 503, title: 'The server is busy; try again in a moment' },
  KS_HWID: { status: 400, title: 'The device ID is missing or malformed' },
  KS_ZONE: { status: 400, title: 'The zone is malformed' },
  KS_CAPTCHA: { status: 403, title: 'The captcha has not been passed' },
  KS_COOLDOWN: { status: 403, title: 'This device has to wait before it goes on' },
  KS_BLOCKED: { status: 403, title: 'This device has been blocked' },
  KS_LIMIT: { status: 429, title: 'Too many tries; wait a little' },
  KS_STEP: { status: 409, title: 'This is not the step the run stands at' },
  KS_OTHER_ZONE: { status: 409, title: 'The open run was begun with another link of the app' },
  KS_UNFINISHED: { status: 409, title: 'The step is not finished at the advertiser yet' },
  KS_FAST: { status: 409, title: 'Step finished too quickly' },
  KS_PROOF: { status: 403, title: 'The advertiser did not confirm this step' },
  KS_TICKET: { status: 404, title: 'This return link is unknown' },
  KS_EXPIRED: { status: 410, title: 'This step ran out of time' },
  KS_REUSE: { status: 409, title: 'This confirmation was already used' },
  KS_PROVIDER_DOWN: { status: 503, title: 'The advertiser does not answer' },
  KS_BUSY: { status: 503, title: 'Very many people are beginning at this moment' },
  PAY_MODE: { status: 400, title: 'There is no such plan' },
  PAY_CROSS_SITE: { status: 403, title: 'A payment can only be started by the visitor' },
  PAY_SIGNATURE: { status: 400, title: 'This message is not from the payment provider' },
  PAY_ORDER: { status: 404, title: 'There is no such order' },
  RST_TOKEN: { status: 410, title: 'This link has been used, or is too old' },
  RST_LIMIT: { status: 429, title: 'The devices were reset a short time ago' },
  CLM_FULL: { status: 409, title: 'This plan has no place left for a device' },
  RDM_CODE: { status: 404, title: 'There is no such code' },
  RDM_USED: { status: 409, title: 'This code has been used' },
  RDM_REVOKED: { status: 410, title: 'This code has been withdrawn' },
  QA_ACCESS: { status: 403, title: 'This needs QA access' },
  QA_PIN: { status: 409, title: 'These versions cannot be pinned' },
  'release.invalid': { status: 422, title: 'This release cannot be published' },
  'release.store': { status: 503, title: 'Releases cannot be stored at the moment' },
  'release.exists': { status: 409, title: 'This version was published before, with other files' },
  'release.token_unknown': { status: 401, title: 'There is no such deploy token' },
  'release.token_expired': { status: 401, title: 'The deploy token is no longer valid' },
  'release.other_unit': { status: 403, title: 'The deploy token is for another unit' },
  'release.unknown': { status: 404, title: 'There is no such unit or version' },
  'release.locked': { status: 409, title: 'The unit is locked' },
  'release.impossible': { status: 409, title: 'The channels do not stand so that this could be done' },
  'release.misfit': { status: 422, title: 'What would be served then does not fit together' },
  DOWNLOAD_NONE: { status: 404, title: 'This download is not available yet' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/**
 * Reads a text from outside, such as the parameter `e` of an address, as an error code. Undefined for any other text.
 */
export function parseErrorCode(value: string | null | undefined): ErrorCode | undefined {
  return ERROR_CODES.find((code) => code === value);
}
