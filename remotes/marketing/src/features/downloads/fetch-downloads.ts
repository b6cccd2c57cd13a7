import { downloadsSchema, type Downloads } from '@app/contracts/downloads';
import { callApi } from '@app/platform';

/** What the server has to download. */
export function fetchDownloads(): Promise<Downloads> {
  return callApi(downloadsSchema, '/api/downloads');
}
