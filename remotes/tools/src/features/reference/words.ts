import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the reference, which would double what the unit's other pages load. */
export const t = defineWords({ en });
