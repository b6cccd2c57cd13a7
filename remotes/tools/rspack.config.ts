import { defineRemote } from '../../rspack.config.base.ts';
import { routes } from './src/routes.ts';

export default defineRemote('tools', routes);
