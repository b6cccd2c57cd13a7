import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SQLITE_FILE } from '#api/db/open-db.ts';
import { backUp, restore as restoreInto } from '#api/db/backup.ts';
import { OpsError, type AddCommands, type Answer, type OpsContext, type OpsPlace } from './command.ts';

export const addBackupCommands: AddCommands = (program, { onSite, onPlace }) => {
  program
    .command('backup')
    .description(
      'copies the database of this machine into a new file, as it is at one moment, while the server goes on',
    )
    .argument('<file>', 'a file that is not there yet', (path) => resolve(path))
    .action((file) => onSite((context) => Promise.resolve(backup(context, file))));

  program
    .command('restore')
    .description(
      'puts a backup in the place of the database, while the server is stopped; what was there is kept beside it',
    )
    .argument('<file>', 'what `backup` has written', (path) => resolve(path))
    .action((file) => onPlace((place) => restore(place, file)));
};

function backup({ sqliteFile }: OpsContext, file: string): Answer {
  if (sqliteFile === undefined)
    throw new OpsError(
      'This site keeps its data in PostgreSQL: back it up with pg_dump "$DATABASE_URL" --format=custom --file=<file>.',
    );
  if (existsSync(file)) throw new OpsError(`${file} is there already; nothing was written.`);

  const data = { file, ...backUp(sqliteFile, file) };
  return { data, text: `Copied into ${file}, ${String(data.bytes)} bytes, and found whole.` };
}

function restore({ DATA_DIR, DATABASE_URL }: OpsPlace, file: string): Answer {
  if (DATABASE_URL !== undefined)
    throw new OpsError(
      'This site keeps its data in PostgreSQL: restore it with pg_restore --clean --if-exists --dbname="$DATABASE_URL" <file>.',
    );
  if (!existsSync(file)) throw new OpsError(`There is no ${file}; nothing was changed.`);

  const data = { file, ...restoreInto(DATA_DIR, file) };
  const former = data.former === undefined ? '' : ` What was there is ${data.former}.`;
  return { data, text: `${join(DATA_DIR, SQLITE_FILE)} is what ${file} holds.${former}` };
}
