import { defineShell } from '../rspack.config.base.ts';
import { isEdited } from '../tools/build/editing.ts';
import { addPacks } from '../tools/packs/make-packs.ts';
import { routes } from './src/pages/routes.ts';

export default defineShell(routes, isEdited ? [] : [addPacks]);
