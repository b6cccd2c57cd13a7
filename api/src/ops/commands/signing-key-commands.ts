import { createSigningKeysRepository } from '#api/product/keys/signing-keys.repository.ts';
import { OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { formatTable, formatTime } from '#api/ops/table.ts';

export const addSigningKeyCommands: AddCommands = (program, { onSite }) => {
  const signingKey = program.command('signing-key').description('the keys that the server signs with');

  signingKey
    .command('list')
    .description('those that sign, signed or will sign')
    .action(() => onSite(list));

  signingKey
    .command('rotate')
    .description(
      'makes and publishes the next signing key; typed again 24 hours later it puts that in place, for the next start',
    )
    .action(() => onSite(rotate));
};

async function list({ db }: OpsContext): Promise<Answer> {
  const data = (await createSigningKeysRepository(db).list()).map(({ kid, alg, status, notBefore, notAfter }) => ({
    kid,
    alg,
    status,
    notBefore,
    notAfter,
  }));
  const rows = data.map(({ kid, alg, status, notBefore, notAfter }) => [
    kid,
    alg,
    status,
    formatTime(notBefore),
    notAfter === null ? '' : formatTime(notAfter),
  ]);
  return { data, text: formatTable(['kid', 'algorithm', 'status', 'since', 'published until'], rows) };
}

async function rotate({ rotateKey }: OpsContext): Promise<Answer> {
  if (!rotateKey)
    throw new OpsError(
      'The settings name the signing keys: name the next one in NEXT_SIGNING_KEY_FILE and restart; 24 hours later in SIGNING_KEY_FILE.',
    );

  const data = await rotateKey();
  const { kid, signsFrom, isInPlace } = data;
  return {
    data,
    text: isInPlace
      ? `${kid} is in place. Restart the server, and it signs.`
      : `${kid} is published and may sign from ${formatTime(signsFrom)} on; then type this again.`,
  };
}
