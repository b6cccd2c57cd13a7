import { setTimeout as wait } from 'node:timers/promises';

const SQLITE_BUSY = 5;

/**
 * Waits until no other process has this lock, and says so where that takes time. The system takes it from a process that
 * is killed.
 * @param name what others do meanwhile, such as `installing`
 * @returns what lets it go
 */
export async function lock(name: string): Promise<() => void> {
  const { DatabaseSync } = await import('node:sqlite');
  // A database of SQLite, outside of the folders that installations and builds empty.
  const database = new DatabaseSync(`scripts/node-runtime/.${name}`);
  for (let tries = 0; ; tries++)
    try {
      database.exec('begin exclusive');
      return () => database.close();
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
      if (tries === 0) console.error(`Another command is ${name} here; waiting for it`);
      await wait(200);
    }
}
