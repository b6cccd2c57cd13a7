import { AppError } from '#api/foundation/http/app-error.ts';

/**
 * Reads the address that a fake advertiser sends its visitor back to.
 * @throws AppError `request.invalid` when it does not lead to this site
 */
export function parseReturnUrl(address: string | undefined, baseUrl: string): URL {
  if (address !== undefined && URL.canParse(address)) {
    const url = new URL(address);
    if (url.origin === baseUrl) return url;
  }
  throw new AppError('request.invalid', 'The sandbox knows no such visit.');
}
