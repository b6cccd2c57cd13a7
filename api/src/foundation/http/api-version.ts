import type { ApiVersion } from '@app/contracts/api-version';
import { PAGES } from '@app/contracts/pages';
import type { RequestHandler } from 'express';
import { AppError } from './app-error.ts';

/**
 * Sets the version of an answer, and refuses one that there is not. A request that names none gets the oldest: programs
 * without the header were written before the newer ones. A route whose answers differ reads the header that is set here.
 * @param versions the present one first
 */
export function apiVersion(versions: readonly [ApiVersion, ...ApiVersion[]]): RequestHandler {
  const supported = versions.map(({ version }) => version);

  return (req, res, next) => {
    // A program and its library may both have set the header: then it has the version twice.
    const [wanted, ...others] = new Set(req.get('api-version')?.split(/, */));
    const named = versions.find(({ version }) => version === wanted && others.length === 0);
    const negotiated = wanted === undefined ? versions.at(-1) : named;
    res.vary('API-Version').set('api-version', (negotiated ?? versions[0]).version);
    if (!negotiated)
      throw new AppError('request.version', `This server speaks version ${supported.join(' and ')}.`, { supported });

    if (negotiated.deprecated) res.set(deprecationHeaders(negotiated.deprecated));
    next();
  };
}

/** The headers that say when a version ends. Sources: RFC 9745 (Deprecation) and RFC 8594 (Sunset) */
function deprecationHeaders({ since, until }: NonNullable<ApiVersion['deprecated']>): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(until).toUTCString(),
    link: `<${PAGES.developers}>; rel="deprecation"; type="text/html"`,
  };
}
