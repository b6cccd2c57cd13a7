import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** Every text of this package. */
export const t = defineWords({ en });
