import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the gate alone. */
export const t = defineWords({ en });
