import type { LicenceRow, ResetRequestRow } from '#api/foundation/db/schema.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import type { Licences } from './licences.ts';
import { hashLinkToken } from './link-token.ts';
import type { Repositories } from './transact.ts';

/** What a link that adds a device is about. */
export interface OpenClaim {
  request: ResetRequestRow;
  licence: LicenceRow;
  hwid: string;
}

/**
 * Finds what a link that adds a device is about.
 * @throws AppError `RST_TOKEN` when the link was used, has ended or is unknown
 */
export async function openClaim(
  { licences, resetRequests }: Pick<Repositories, 'licences' | 'resetRequests'>,
  { linkDevices }: Pick<Licences, 'linkDevices'>,
  token: string,
  at: number,
): Promise<OpenClaim> {
  const request = await resetRequests.findOpen('claim', hashLinkToken(token), at);
  const { id, licenceId, sealedDevice } = request ?? {};
  const licence = licenceId ? await licences.find(licenceId) : undefined;
  if (!request || id === undefined || !licence || !sealedDevice) throw new AppError('RST_TOKEN');

  return { request, licence, hwid: linkDevices.open(id, sealedDevice) };
}
