import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** Every text that the frame shows. */
export const t = defineWords({ en });
