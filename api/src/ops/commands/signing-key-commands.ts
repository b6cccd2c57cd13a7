import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { createSigningKeysRepository } from '#api/product/keys/signing-keys.repository.ts';
import { type AddCommands, type Answer, type OpsContext, OpsError } from '#api/ops/command.ts';
import { formatTime, listAnswer, pick } from '#api/ops/format.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createSigningKeysService, type SigningKeysService } from '#api/product/keys/signing-keys.service.ts';
import { readOrGenerateSecret } from '#api/foundation/crypto/generated-secret-file.ts';
import { GENERATED_NEXT_SIGNING_KEY, GENERATED_SIGNING_KEY } from '#api/foundation/secrets/load-secrets.ts';

export const addSigningKeyCommands: AddCommands = (program, { onSite }) => {
  const signingKey = program.command('signing-key').description('the keys that the server signs with');

  signingKey
    .command('list')
    .description('list the keys that sign, signed or will sign')
    .action(() => onSite(list));

  signingKey
    .command('rotate')
    .description(
      'make and publish the next signing key; 24 hours later, typed again, put it in place for the next start',
    )
    .action(() => onSite(rotate));
};

async function list({ db }: OpsContext): Promise<Answer> {
  const keys = await createSigningKeysRepository(db).list();
  return listAnswer(
    keys.map((key) => pick(key, 'kid', 'alg', 'status', 'notBefore', 'notAfter')),
    {
      kid: ({ kid }) => kid,
      algorithm: ({ alg }) => alg,
      status: ({ status }) => status,
      'signs from': ({ notBefore }) => formatTime(notBefore),
      'published until': ({ notAfter }) => formatTime(notAfter),
    },
  );
}

async function rotate({ db, generatedKeysIn: dataDir, now }: OpsContext): Promise<Answer> {
  if (dataDir === undefined)
    throw new OpsError(
      'The settings name the signing keys: name the next one in NEXT_SIGNING_KEY_FILE and restart; 24 hours later in SIGNING_KEY_FILE.',
    );

  const data = await rotateKeyFile(dataDir, createSigningKeysService({ db, now }), now());
  const { kid, signsFrom, isInPlace } = data;
  return {
    data,
    text: isInPlace
      ? `${kid} is in place. Restart the server, and it signs.`
      : `${kid} is published and may sign from ${formatTime(signsFrom)} on; then type this again.`,
  };
}

/**
 * Rotates the generated signing key of a development machine, in two calls. The first call makes the next key and
 * publishes it. A call after `signsFrom` puts it in the place of the old one; the next start signs with it.
 * @returns `signsFrom`: when the key may sign, in epoch milliseconds
 */
export async function rotateKeyFile(dataDir: string, signingKeys: SigningKeysService, now: number) {
  const path = join(dataDir, GENERATED_NEXT_SIGNING_KEY);
  const next = readSigningKey(readOrGenerateSecret(path, generateSigningKey));
  const { signsFrom } = await signingKeys.announce(next);

  const isInPlace = signsFrom <= now;
  if (isInPlace) renameSync(path, join(dataDir, GENERATED_SIGNING_KEY));
  return { kid: next.kid, signsFrom, isInPlace };
}
