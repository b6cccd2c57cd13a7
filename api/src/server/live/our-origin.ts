/**
 * Whether an `Origin` header names this site.
 * @param baseUrl the site's origin, if an operator has set it
 * @param host the `Host` header, which counts when `baseUrl` is not set
 */
export function isOurOrigin(origin: string, baseUrl: string | undefined, host: string | undefined): boolean {
  if (baseUrl !== undefined) return origin === baseUrl;

  return URL.canParse(origin) && new URL(origin).host === host;
}
