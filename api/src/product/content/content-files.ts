import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';

const NAME = /^[a-z0-9-]{1,40}\.txt$/;
const MAX_BYTES = 4096;

/** Reads a text that operators change without a deploy; undefined when it is missing, misnamed or above 4096 bytes. */
export async function findContent(folder: string, name: string): Promise<Buffer | undefined> {
  if (!NAME.test(name)) return undefined;

  const path = join(folder, name);
  const found = await stat(path).catch(undefinedIfMissing);
  if (!found?.isFile() || found.size > MAX_BYTES) return undefined;

  return readFile(path).catch(undefinedIfMissing);
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** The example texts of a development machine, one of a build that is being updated. The ids of the videos are invented. */
const DEFAULT_TEXTS = {
  'v5-android.txt': '2.692.843',
  'v5-ios.txt': '2.692.843',
  'v5-vng.txt': 'Updating',
  'neo-android.txt': '2.692.843',
  'neo-ios.txt': '2.692.843',
  'neo-vng.txt': '2.692.841',
  'users.txt': 'V5 users: 1000\nNEO keys: 4213377',
  'video.txt': 'https://youtu.be/DemoVideo01#1:24',
  'short.txt': 'https://www.tiktok.com/@arceusx/video/7000000000000000001#0:31',
};

/** Writes the example texts that are missing from the folder. An existing file is never overwritten. */
export function writeDefaultContent(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(DEFAULT_TEXTS)) writeIfMissing(join(folder, name), `${text}\n`);
}

function writeIfMissing(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
