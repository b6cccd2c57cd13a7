import { defineShell } from '../rspack.config.base.ts';
import { routes } from './src/pages/routes.ts';

export default defineShell(routes);
