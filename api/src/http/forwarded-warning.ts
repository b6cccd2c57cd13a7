import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

const PAUSE_MS = 60 * 60 * 1000;

/**
 * Warns, at most once an hour, of a proxy that nobody told the server about: all visitors would count as that one address.
 * What the header says is not logged: anybody may have written it.
 */
export function warnOfUnknownProxy({
  trustedHops,
  log,
  now,
}: {
  trustedHops: number;
  log: Logger;
  now: () => number;
}): RequestHandler {
  let quietUntil = 0;

  return (req, _res, next) => {
    if (trustedHops === 0 && req.headers['x-forwarded-for'] !== undefined && now() >= quietUntil) {
      quietUntil = now() + PAUSE_MS;
      log.warn(
        { setting: 'TRUST_PROXY' },
        'X-Forwarded-For arrives while TRUST_PROXY is 0: behind a proxy all visitors count as one network',
      );
    }
    next();
  };
}
