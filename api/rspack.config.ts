import { defineServer } from '../rspack.config.base.ts';

export default defineServer();
