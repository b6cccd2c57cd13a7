import { defineShell } from '../rspack.config.base.ts';
import { isEdited } from '../tools/build/editing.ts';
import { PacksPlugin } from '../tools/packs/packs-plugin.ts';
import { routes } from './src/pages/routes.ts';

export default defineShell(routes, isEdited ? [] : [new PacksPlugin()]);
