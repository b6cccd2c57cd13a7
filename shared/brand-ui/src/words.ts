import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** Every text that the parts of our apps show. */
export const t = defineWords({ en });
