import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Starts another program that takes the write lock of the file and keeps it until `letGo`. */
export async function holdWriteLock(file: string): Promise<{ letGo: () => Promise<void> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
    database.exec('begin immediate');
    process.stdout.write('held');
    process.stdin.once('end', () => { database.exec('rollback'); process.exit(); }).resume();`;
  const holder = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(holder, 'exit');
  const letGo = async () => {
    holder.stdin.end();
    await gone;
  };
  onTestFinished(letGo);
  await once(holder.stdout, 'data');
  return { letGo };
}
