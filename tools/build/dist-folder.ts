import { join } from 'node:path';
import { isEdited } from './editing.ts';
import { repository } from './unit-folder.ts';

/**
 * The output folder. `npm run dev` builds into a folder of its own, with file names that do not change, so that open
 * pages can fetch updates.
 */
export const DIST = join(repository, isEdited ? 'dist/dev' : 'dist');
