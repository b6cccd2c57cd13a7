import { AppError } from '#api/http/app-error.ts';

/** The address a stand-in sends its visitor to. A stand-in serves this site alone, so it never leads anywhere else. */
export function parseWayBack(address: string | undefined, baseUrl: string): URL {
  if (address !== undefined && URL.canParse(address)) {
    const url = new URL(address);
    if (url.origin === baseUrl) return url;
  }
  throw new AppError('request.invalid', 'The sandbox knows no such visit.');
}
