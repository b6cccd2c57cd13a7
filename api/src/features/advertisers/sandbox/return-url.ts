import { AppError } from '#api/http/app-error.ts';

/** The address a fake advertiser sends its visitor to. A fake advertiser serves this site alone, so it never leads anywhere else. */
export function parseReturnUrl(address: string | undefined, baseUrl: string): URL {
  if (address !== undefined && URL.canParse(address)) {
    const url = new URL(address);
    if (url.origin === baseUrl) return url;
  }
  throw new AppError('request.invalid', 'The sandbox knows no such visit.');
}
