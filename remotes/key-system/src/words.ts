import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** Every text that the key system shows. */
export const t = defineWords({ en });
