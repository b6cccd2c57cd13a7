/**
 * Whether an `Origin` is the site's own.
 * @param baseUrl the site's origin where an operator has set it; without, the host that was asked counts
 */
export function isOurOrigin(origin: string, baseUrl: string | undefined, host: string | undefined): boolean {
  if (baseUrl !== undefined) return origin === baseUrl;

  return URL.canParse(origin) && new URL(origin).host === host;
}
