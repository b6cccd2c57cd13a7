import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

const WARNING_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Logs a warning, at most once an hour, when a proxy adds X-Forwarded-For but TRUST_PROXY is 0: all visitors then count
 * as one address. The header's value is not logged, because any client can write it.
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
      quietUntil = now() + WARNING_INTERVAL_MS;
      log.warn(
        { setting: 'TRUST_PROXY' },
        'X-Forwarded-For arrives while TRUST_PROXY is 0: behind a proxy all visitors count as one network',
      );
    }
    next();
  };
}
