import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SQLITE_FILE } from '#api/db/open-db.ts';
import { backUp, restore as restoreInto } from '#api/db/backup.ts';
import { OpsError, type Command, type Input } from './command.ts';

const backup: Command = {
  usage: 'backup <file>',
  says: 'Copies the database of this machine into a new file, as it is at one moment, while the server goes on.',
  options: [],
  run({ sqliteFile }, input) {
    const file = readFile(input);
    if (sqliteFile === undefined)
      throw new OpsError(
        'This site keeps its data in PostgreSQL: back it up with pg_dump "$DATABASE_URL" --format=custom --file=<file>.',
      );
    if (existsSync(file)) throw new OpsError(`${file} is there already; nothing was written.`);

    const data = { file, ...backUp(sqliteFile, file) };
    return Promise.resolve({ data, text: `Copied into ${file}, ${String(data.bytes)} bytes, and found whole.` });
  },
};

const restore: Command = {
  usage: 'restore <file>',
  says: 'Puts a backup in the place of the database, while the server is stopped. What was there is kept beside it.',
  options: [],
  runOffline({ DATA_DIR, DATABASE_URL }, input) {
    const file = readFile(input);
    if (DATABASE_URL !== undefined)
      throw new OpsError(
        'This site keeps its data in PostgreSQL: restore it with pg_restore --clean --if-exists --dbname="$DATABASE_URL" <file>.',
      );
    if (!existsSync(file)) throw new OpsError(`There is no ${file}; nothing was changed.`);

    const data = { file, ...restoreInto(DATA_DIR, file) };
    const former = data.former === undefined ? '' : ` What was there is ${data.former}.`;
    return Promise.resolve({ data, text: `${join(DATA_DIR, SQLITE_FILE)} is what ${file} holds.${former}` });
  },
};

function readFile({ words: [file = ''] }: Input): string {
  return resolve(file);
}

export const BACKUP_COMMANDS: readonly Command[] = [backup, restore];
