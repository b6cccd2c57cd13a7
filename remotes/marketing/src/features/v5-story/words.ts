import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the V5 page alone. */
export const t = defineWords({ en });
