import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backUp, restore as restoreInto } from '#api/foundation/db/backup.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { SQLITE_FILE } from '#api/foundation/db/open-db.ts';
import { EnvError } from '#api/foundation/settings/env.ts';
import { verify } from './audit-commands.ts';
import { OpsError, type AddCommands, type Answer, type OpsLocation } from '#api/ops/command.ts';
import { withProgress } from '#api/ops/progress.ts';

export const addBackupCommands: AddCommands = (program, { onLocation }) => {
  program
    .command('backup')
    .description('copy the database of one moment into a new file, while the server goes on')
    .argument('<file>', 'a file that is not there yet', (path) => resolve(path))
    .action((file) => onLocation((place) => backup(place, file)));

  program
    .command('restore')
    .description(
      'replace the SQLite database of a stopped server by a backup, or fill an empty PostgreSQL database; then check the audit',
    )
    .argument('<file>', 'what `backup` has written', (path) => resolve(path))
    .action((file) => onLocation((place) => restore(place, file)));
};

async function backup(place: OpsLocation, file: string): Promise<Answer> {
  const sqliteFile = join(place.DATA_DIR, SQLITE_FILE);
  if (place.DATABASE_URL === undefined && !existsSync(sqliteFile))
    throw new OpsError(`There is no ${sqliteFile}. Start the server once, or set DATA_DIR to where its data is.`);
  if (existsSync(file)) throw new OpsError(`${file} is there already; nothing was written.`);

  const data = { file, ...(await withProgress('Copying the database', () => backUp(place, file))) };
  return {
    data,
    text: `Copied into ${file}, ${data.bytes} bytes, and found whole. Its checksum is ${file}.sha256.`,
  };
}

async function restore(place: OpsLocation, file: string): Promise<Answer> {
  if (!existsSync(file)) throw new OpsError(`There is no ${file}; nothing was changed.`);

  const { former, isCompared } = await withProgress('Restoring the database', () => restoreInto(place, file));
  const where = place.DATABASE_URL === undefined ? join(place.DATA_DIR, SQLITE_FILE) : 'The database';
  const kept = former === undefined ? '' : ` What was there is ${former}.`;
  const unsure = isCompared ? '' : ` There is no ${file}.sha256, so damage to a value in it was not looked for.`;
  const audit = await withProgress('Checking its audit', () => verifyRestored(place));
  return {
    data: { file, former, isCompared, audit: audit.data },
    text: `${where} is what ${file} holds.${kept}${unsure}\nIts audit: ${audit.text}`,
    isBad: audit.isBad === true,
  };
}

/** Checks the audit of what was restored. A backup of an older version can be checked only after a start. */
async function verifyRestored({ onSite }: OpsLocation): Promise<Answer> {
  try {
    return await onSite((context) => verify(context));
  } catch (error) {
    if (!(error instanceof OpsError || error instanceof EnvError || error instanceof DatabaseUnavailable)) throw error;
    return {
      data: { ok: false, problem: 'unverified', reason: error.message },
      text: `it could not be checked yet. ${error.message} Then type: audit verify`,
      isBad: true,
    };
  }
}
